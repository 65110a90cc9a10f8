"""The published library's functions, with its signatures and results, without cubic memory."""

from __future__ import annotations

from typing import Optional, Sequence

from ._torch import torch
from .ops import attention_dense

__all__ = ["pivotal_attention", "pivotal_attention3"]


def _published(q: torch.Tensor, keys: Sequence[torch.Tensor], values: Sequence[torch.Tensor],
               attn_mask: Optional[torch.Tensor], dropout: float, scale: Optional[float],
               inf: float, softmax_cap: float) -> torch.Tensor:
    if scale is None:
        scale = (len(keys) * q.shape[-1]) ** -0.5
    if attn_mask is not None and attn_mask.is_floating_point():
        attn_mask = attn_mask.to(q.dtype)
    return attention_dense(q, keys, values, attn_mask, excluded_logit=-inf, scale=scale,
                           logit_cap=max(softmax_cap, 0.0), dropout=dropout)


def pivotal_attention(q_ik: torch.Tensor, k_ij: torch.Tensor, k_jk: torch.Tensor,
                      v_ij: torch.Tensor, v_jk: torch.Tensor,
                      attn_mask: Optional[torch.Tensor] = None, dropout: float = 0.0,
                      scale: Optional[float] = None, inf: float = 1e9,
                      softmax_cap: float = -1) -> torch.Tensor:
    """The published function for pairs.

    q_ik: (B, H, L_i, L_k, D); k_ij, v_ij: (B, H, L_i, L_j, D); k_jk, v_jk: (B, H, L_j, L_k, D);
    attn_mask: broadcastable to (B, H, L_i, L_k, L_j), added if floating; where a boolean one is
    True the score becomes -inf. As there, the scale is 1/sqrt(2 D) unless given.
    """
    return _published(q_ik, [k_jk, k_ij], [v_jk, v_ij], attn_mask, dropout, scale, inf,
                      softmax_cap)


def pivotal_attention3(q_ijk: torch.Tensor, k_pjk: torch.Tensor, k_ipk: torch.Tensor,
                       k_ijp: torch.Tensor, v_pjk: torch.Tensor, v_ipk: torch.Tensor,
                       v_ijp: torch.Tensor, attn_mask: Optional[torch.Tensor] = None,
                       dropout: float = 0.0, scale: Optional[float] = None, inf: float = 1e9,
                       softmax_cap: float = -1) -> torch.Tensor:
    """The published function for triples; the scale is 1/sqrt(3 D) unless given."""
    return _published(q_ijk, [k_pjk, k_ipk, k_ijp], [v_pjk, v_ipk, v_ijp], attn_mask, dropout,
                      scale, inf, softmax_cap)
