"""The operators as PyTorch knows them: torch.ops.floydnet.*, by the conventions of torch.library.

Schemas, CPU kernels, gradients, autocast and the refusal of vmap are in libfloydnet.so; the fake
kernels, which tell shapes without computing, are here.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from . import _core, _files
from ._core import InputError
from ._torch import torch

__all__ = ["attention", "attention_dense", "attention_weights"]


def _load() -> None:
    path = _files.library("floydnet")
    try:
        torch.ops.load_library(path)
    except OSError as error:
        raise ImportError(f"cannot load {path} beside PyTorch {torch.__version__}: {error}; it is "
                          "built for one version of PyTorch, so install floydnet again") from error


_load()
_ops = torch.ops.floydnet


# --- Fake kernels ---------------------------------------------------------------------------------


def _require_one_device(q, *others):
    for other in others:
        if other is not None and other.device != q.device:
            raise InputError(f"pivotal_attention: a tensor is on {other.device}, wanted {q.device} "
                             "as q")


def _fake_packed(q, k, v, sizes, bias=None, *, scale=None, multiplicative=False, logit_cap=0.0,
                 dropout=0.0, seed=None):
    _require_one_device(q, k, v, bias)
    return q.new_empty(q.shape)


def _fake_dense(q, keys, values, mask=None, excluded_logit=None, *, scale=None,
                multiplicative=False, logit_cap=0.0, dropout=0.0, seed=None):
    _require_one_device(q, *keys, *values, mask)
    return q.new_empty(q.shape)


def _fake_weights(q, k, sizes, targets, bias=None, *, scale=None, multiplicative=False,
                  logit_cap=0.0):
    return q.new_empty((q.shape[0], len(targets), max(sizes, default=0)))


def _fake_packed_forward(q, k, v, sizes, bias, scale, multiplicative, logit_cap, dropout, seed,
                         keep_weights, needs_backward):
    _require_one_device(q, k, v, bias)
    kept = _ops._kept_elements(list(sizes), int(k.shape[0]), int(q.shape[2]), bias is not None,
                               scale, multiplicative, logit_cap, dropout, keep_weights,
                               needs_backward)
    return (q.new_empty(q.shape), q.new_empty((2, q.shape[0], q.shape[1])),
            q.new_empty((q.shape[0], kept)))


def _gradients(like, wanted):
    return [tensor.new_empty(tensor.shape) if want and tensor is not None else like[0].new_empty(0)
            for tensor, want in zip(like, wanted)]


def _fake_packed_backward(dout, q, k, v, sizes, bias, out, row_stats, kept, scale, multiplicative,
                          logit_cap, dropout, seed, keep_weights, wanted):
    return _gradients([q, k, v, bias], wanted)


def _fake_dense_forward(qkv, mask, excluded_logit, scale, multiplicative, logit_cap, dropout, seed):
    q = qkv[0]
    _require_one_device(*qkv, mask)
    return q.new_empty(q.shape), q.new_empty((2, *q.shape[:-1]))


def _fake_dense_backward(dout, qkv, mask, out, row_stats, excluded_logit, scale, multiplicative,
                         logit_cap, dropout, seed, wanted):
    return _gradients([*qkv, mask], wanted)


def _register_fakes() -> Any:
    fakes = {
        "pivotal_attention": _fake_packed, "pivotal_attention_dense": _fake_dense,
        "attention_weights": _fake_weights, "_packed_forward": _fake_packed_forward,
        "_packed_backward": _fake_packed_backward, "_dense_forward": _fake_dense_forward,
        "_dense_backward": _fake_dense_backward,
    }
    register: Optional[Callable[..., Any]] = getattr(torch.library, "register_fake", None)
    if register is not None:
        for name, fake in fakes.items():
            register(f"floydnet::{name}", fake)
        return None
    # PyTorch before 2.4 has the Meta key alone.
    meta = torch.library.Library("floydnet", "IMPL", "Meta")
    for name, fake in fakes.items():
        meta.impl(name, fake)
    return meta


_meta = _register_fakes()


# --- Functions ------------------------------------------------------------------------------------


Seed = Union[int, torch.Tensor, None]


def _seed_tensor(dropout: float, seed: Seed) -> Optional[torch.Tensor]:
    """The seed as operators take it. A fresh one is drawn from PyTorch's generator, so that
    torch.manual_seed governs dropout; as a tensor it may differ in every call of a compiled graph.
    """
    if isinstance(seed, torch.Tensor):
        return seed
    if seed is not None:
        return torch.tensor(_core.whole(seed, "seed"), device="cpu")
    return torch.randint(2**63 - 1, (), device="cpu") if dropout > 0 else None


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, sizes: Sequence[int],
              bias: Optional[torch.Tensor] = None, *, scale: Optional[float] = None,
              multiplicative: bool = False, logit_cap: float = 0.0, dropout: float = 0.0,
              seed: Seed = None) -> torch.Tensor:
    """Pivotal Attention on packed states of graphs with the given sizes; the order is k.shape[0].

    q: (heads, rows, d); k, v: (order, heads, rows, d) by replaced coordinate; bias: (order, heads
    or 1, rows), where -inf excludes a pivot. The scale is 1/sqrt(d) unless given. The same seed
    (a number, or an int64 tensor of one) drops the same weights; without one it is drawn from
    PyTorch's generator.
    """
    return _ops.pivotal_attention(q, k, v, _core.wholes(sizes, "sizes"), bias, scale=scale,
                                  multiplicative=multiplicative, logit_cap=logit_cap,
                                  dropout=dropout, seed=_seed_tensor(dropout, seed))


def attention_dense(q: torch.Tensor, keys: Sequence[torch.Tensor], values: Sequence[torch.Tensor],
                    mask: Optional[torch.Tensor] = None, *, excluded_logit: Optional[float] = None,
                    scale: Optional[float] = None, multiplicative: bool = False,
                    logit_cap: float = 0.0, dropout: float = 0.0,
                    seed: Seed = None) -> torch.Tensor:
    """Pivotal Attention on dense tensors; target coordinates and pivots may differ in number.

    q: (B, heads, L_0, ..., d); keys[r], values[r]: as q, with the number of pivots in place of L_r;
    mask: broadcastable to (B, heads, L_0, ..., pivots), added if floating; where a boolean one is
    true the logit becomes excluded_logit (-inf unless given).
    """
    return _ops.pivotal_attention_dense(q, list(keys), list(values), mask, excluded_logit,
                                        scale=scale, multiplicative=multiplicative,
                                        logit_cap=logit_cap, dropout=dropout,
                                        seed=_seed_tensor(dropout, seed))


def attention_weights(q: torch.Tensor, k: torch.Tensor, sizes: Sequence[int],
                      targets: Sequence[int], bias: Optional[torch.Tensor] = None, *,
                      scale: Optional[float] = None, multiplicative: bool = False,
                      logit_cap: float = 0.0) -> torch.Tensor:
    """The weights over pivots of chosen target rows: (heads, targets, largest size)."""
    return _ops.attention_weights(q, k, _core.wholes(sizes, "sizes"),
                                  _core.wholes(targets, "targets"), bias, scale=scale,
                                  multiplicative=multiplicative, logit_cap=logit_cap)
