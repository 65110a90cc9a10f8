"""Pivotal Attention for PyTorch on the CPU.

Thin wrappers around the operators of libfloydnet.so, which carry their own autograd. The library is
found in $FLOYDNET_LIBRARY, in this source tree's build/release/lib, or on the loader's path.

The operators use PyTorch's threads. Debian's PyTorch starts with one: torch.set_num_threads(n).
"""

import os
import pathlib

import torch

__all__ = ["attention", "attention_weights", "pivotal_attention", "pivotal_attention3"]


def _load_library():
    named = os.environ.get("FLOYDNET_LIBRARY")
    built = pathlib.Path(__file__).resolve().parents[2] / "build/release/lib/libfloydnet.so"
    path = named or (str(built) if built.exists() else "libfloydnet.so")
    try:
        torch.ops.load_library(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}; build it by running ./floydnet --version, "
                          "or name it in FLOYDNET_LIBRARY") from error


_load_library()


def _seed(dropout):
    """A fresh seed from PyTorch's generator, so that torch.manual_seed governs dropout."""
    return int(torch.randint(2**63 - 1, ()).item()) if dropout > 0 else 0


def attention(q, k, v, sizes, bias=None, *, scale=None, multiplicative=False, logit_cap=0.0,
              dropout=0.0):
    """PA on packed states of graphs with the given sizes; the order is k.shape[0].

    q: (heads, rows, d); k, v: (order, heads, rows, d) by replaced coordinate; bias: (order, heads or
    1, rows), where -inf excludes a pivot. The scale is 1/sqrt(d) unless given.
    """
    return torch.ops.floydnet.pivotal_attention(
        q, k, v, list(sizes), bias, scale=scale, multiplicative=multiplicative, logit_cap=logit_cap,
        dropout=dropout, seed=_seed(dropout))


def attention_weights(q, k, sizes, targets, bias=None, *, scale=None, multiplicative=False,
                      logit_cap=0.0):
    """The weights over pivots of chosen target rows: (heads, targets, largest size)."""
    return torch.ops.floydnet.attention_weights(
        q, k, list(sizes), list(targets), bias, scale=scale, multiplicative=multiplicative,
        logit_cap=logit_cap)


def _published(q, keys, values, attn_mask, dropout, scale, inf, softmax_cap):
    if scale is None:
        scale = (len(keys) * q.shape[-1]) ** -0.5
    if attn_mask is not None and attn_mask.is_floating_point():
        attn_mask = attn_mask.to(q.dtype)
    return torch.ops.floydnet.pivotal_attention_dense(
        q, keys, values, attn_mask, -inf, scale=scale, logit_cap=max(softmax_cap, 0.0),
        dropout=dropout, seed=_seed(dropout))


def pivotal_attention(q_ik, k_ij, k_jk, v_ij, v_jk, attn_mask=None, dropout=0.0, scale=None,
                      inf=1e9, softmax_cap=-1):
    """The published function for pairs: same signature, same results, no cubic memory.

    q_ik: (B, H, L_i, L_k, D); k_ij, v_ij: (B, H, L_i, L_j, D); k_jk, v_jk: (B, H, L_j, L_k, D);
    attn_mask: broadcastable to (B, H, L_i, L_k, L_j), added if floating; where a boolean one is True
    the score becomes -inf. As there, the scale is 1/sqrt(2 D) unless given.
    """
    return _published(q_ik, [k_jk, k_ij], [v_jk, v_ij], attn_mask, dropout, scale, inf,
                      softmax_cap)


def pivotal_attention3(q_ijk, k_pjk, k_ipk, k_ijp, v_pjk, v_ipk, v_ijp, attn_mask=None, dropout=0.0,
                       scale=None, inf=1e9, softmax_cap=-1):
    """The published function for triples; the scale is 1/sqrt(3 D) unless given."""
    return _published(q_ijk, [k_pjk, k_ipk, k_ijp], [v_pjk, v_ipk, v_ijp], attn_mask, dropout,
                      scale, inf, softmax_cap)
