"""The published library's block on dense grids (B, L, L, D), with its signature and its names."""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, Mapping, Optional, Type, Union

import torch
from torch import nn

from ..functional import pivotal_attention

__all__ = ["PivotalAttentionBlock"]

Named = Union[str, nn.Module, Type[nn.Module]]


class _Affine(nn.Module):
    """Scale and shift, without normalising."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.bias


class _Rms(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


_NORMS: Dict[str, Callable[..., nn.Module]] = {
    "layernorm": nn.LayerNorm, "ln": nn.LayerNorm, "rmsnorm": _Rms, "rms": _Rms, "affine": _Affine,
    "none": lambda dim: nn.Identity(), "identity": lambda dim: nn.Identity(),
}
_ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU}


def _made(kind: Named, known: Mapping[str, Callable[..., nn.Module]], what: str,
          *arguments: Any) -> nn.Module:
    """A module from a name, a class of modules, or a module, which is copied: none is shared."""
    if isinstance(kind, nn.Module):
        return copy.deepcopy(kind)
    if isinstance(kind, type) and issubclass(kind, nn.Module):
        return kind(*arguments)
    if isinstance(kind, str) and kind.lower() in known:
        return known[kind.lower()](*arguments)
    raise ValueError(f"{what} is {kind!r}, wanted one of {', '.join(known)}, or an nn.Module")


class PivotalAttentionBlock(nn.Module):
    """Pivotal Attention on the pairs of a grid, then a feed-forward branch.

    The scale is 1/sqrt(2 d), and rows of c_qkv stand in the order q, k_ij, k_jk, v_ij, v_jk.
    """

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = False,
                 ffn_expansion_ratio: int = 4, norm_position: str = "pre",
                 activation_fn: Named = "relu", norm_fn: Named = "layernorm",
                 enable_symmetric_mix: bool = True, enable_ffn: bool = True) -> None:
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError(f"embed_dim is {embed_dim}, wanted a multiple of num_heads, "
                             f"{num_heads}")
        if norm_position.lower() not in ("pre", "post"):
            raise ValueError(f"norm_position is {norm_position!r}, wanted 'pre' or 'post'")
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.norm_position = norm_position.lower()
        self.enable_ffn, self.enable_symmetric_mix = enable_ffn, enable_symmetric_mix

        def linear(inputs: int, outputs: int, zero: bool) -> nn.Linear:
            layer = nn.Linear(inputs, outputs, bias=bias)
            (nn.init.zeros_ if zero else nn.init.xavier_uniform_)(layer.weight)
            if bias:
                nn.init.zeros_(layer.bias)
            return layer

        if enable_symmetric_mix:
            self.c_mix = linear(embed_dim, embed_dim, zero=True)
        self.c_qkv = linear(embed_dim, 5 * embed_dim, zero=False)
        self.c_proj = linear(embed_dim, embed_dim, zero=True)
        self.dropout_fn = nn.Dropout(dropout)
        self.norm1 = _made(norm_fn, _NORMS, "norm_fn", embed_dim)
        if enable_ffn:
            wide = ffn_expansion_ratio * embed_dim
            self.norm2 = _made(norm_fn, _NORMS, "norm_fn", embed_dim)
            self.ffn = nn.Sequential(linear(embed_dim, wide, zero=False),
                                     _made(activation_fn, _ACTIVATIONS, "activation_fn"),
                                     linear(wide, embed_dim, zero=True), nn.Dropout(dropout))
            self.ffn_scale = nn.Parameter(torch.tensor(1.0))

    def attn(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor]) -> torch.Tensor:
        """The attention branch; attn_mask: broadcastable to (B, H, L, L, L)."""
        batch, length, _, dim = x.shape
        q_ik, k_ij, k_jk, v_ij, v_jk = (
            part.view(batch, length, length, self.num_heads, self.head_dim).permute(0, 3, 1, 2, 4)
            for part in self.c_qkv(x).chunk(5, dim=-1))
        y = pivotal_attention(q_ik, k_ij, k_jk, v_ij, v_jk, attn_mask=attn_mask,
                              dropout=self.dropout if self.training else 0.0)
        return self.dropout_fn(self.c_proj(y.permute(0, 2, 3, 1, 4).reshape(x.shape)))

    def forward(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        """x: (B, L, L, D)."""
        if x.dim() != 4 or x.shape[1] != x.shape[2] or x.shape[3] != self.embed_dim:
            raise ValueError(f"x has shape {list(x.shape)}, wanted [B, L, L, {self.embed_dim}]")
        mixed = x + self.c_mix(x.transpose(1, 2)) if self.enable_symmetric_mix else x
        if self.norm_position == "pre":
            x = x + self.attn(self.norm1(mixed), attn_mask)
            return x + self.ffn(self.norm2(x)) * self.ffn_scale if self.enable_ffn else x
        x = self.norm1(x + self.attn(mixed, attn_mask))
        return self.norm2(x + self.ffn(x)) * self.ffn_scale if self.enable_ffn else x
