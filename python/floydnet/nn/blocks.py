"""Pivotal Attention and the FloydBlock as modules on packed states (rows, dim)."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence, Tuple

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from .. import ops
from .config import ModelConfig
from .layout import TupleLayout

__all__ = ["FloydBlock", "Norm", "PivotalAttention", "activate", "called"]


def called(config: ModelConfig, function: Callable[..., torch.Tensor],
           *arguments: Any) -> torch.Tensor:
    """function(*arguments); if the model recomputes, backward calls it again, with the same random
    numbers, so that its activations need not be kept."""
    if config.recompute and torch.is_grad_enabled():
        return checkpoint(function, *arguments, use_reentrant=False)
    return function(*arguments)


def activate(x: torch.Tensor, activation: str) -> torch.Tensor:
    if activation == "gelu":
        return F.gelu(x)
    return F.relu(x) if activation == "relu" else F.silu(x)


class Norm(nn.Module):
    """layernorm, rmsnorm, batchnorm, affine (scale and shift only) or none."""

    def __init__(self, kind: str, dim: int, eps: float) -> None:
        super().__init__()
        self.kind, self.eps = kind, eps
        if kind == "batchnorm":
            self.batch = nn.BatchNorm1d(dim, eps=eps)
        elif kind != "none":
            self.weight = nn.Parameter(torch.ones(dim))
            if kind != "rmsnorm":
                self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.kind == "layernorm":
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
        if self.kind == "rmsnorm":
            return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight
        if self.kind == "batchnorm":
            return self.batch(x)
        if self.kind == "affine":
            return torch.addcmul(self.bias, x, self.weight)
        return x


def _linear(inputs: int, outputs: int, bias: bool, zero: bool) -> nn.Linear:
    linear = nn.Linear(inputs, outputs, bias=bias)
    if zero:
        nn.init.zeros_(linear.weight)
    else:
        nn.init.xavier_uniform_(linear.weight)
    if bias:
        nn.init.zeros_(linear.bias)
    return linear


def _project(config: ModelConfig, qkv: nn.Linear, q_norm: Optional[Norm], k_norm: Optional[Norm],
             states: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(rows, dim) to q (heads, rows, d) and k, v (order, heads, rows, d)."""
    head_dim = config.dim // config.heads
    parts = qkv(states).view(-1, 1 + 2 * config.order, config.heads, head_dim).permute(1, 2, 0, 3)
    q, k, v = parts[0], parts[1:1 + config.order], parts[1 + config.order:]
    return (q if q_norm is None else q_norm(q)), (k if k_norm is None else k_norm(k)), v


class PivotalAttention(nn.Module):
    """Linear maps to queries, keys and values, the operator, and a linear map of its result.

    Options are those of ModelConfig: order, dim, heads, scale, composition, logit_cap, qk_norm,
    linear_bias, attention_dropout. Parameters: qkv, proj, q_norm, k_norm, as in a FloydBlock.
    """

    _is_branch = False  # of a residual sum, so that its result may start at zero

    def __init__(self, config: Optional[ModelConfig] = None, **options: Any) -> None:
        super().__init__()
        config = self.config = ModelConfig.of(config, options, type(self).__name__)
        self.qkv = _linear(config.dim, (1 + 2 * config.order) * config.dim, config.linear_bias,
                           zero=False)
        self.proj = _linear(config.dim, config.dim, config.linear_bias,
                            self._is_branch and config.zero_residual)
        head_dim = config.dim // config.heads
        self.q_norm = Norm("rmsnorm", head_dim, config.norm_eps) if config.qk_norm else None
        self.k_norm = Norm("rmsnorm", head_dim, config.norm_eps) if config.qk_norm else None

    def forward(self, states: torch.Tensor, sizes: Sequence[int],
                pivot_bias: Optional[torch.Tensor] = None,
                scale: Optional[float] = None) -> torch.Tensor:
        """states: (rows, dim) of graphs with these sizes; pivot_bias: (order, heads or 1, rows)."""
        config = self.config
        q, k, v = _project(config, self.qkv, self.q_norm, self.k_norm, states)
        out = ops.attention(q, k, v, sizes, pivot_bias,
                            scale=config.scale if scale is None else scale,
                            multiplicative=config.composition == "multiplicative",
                            logit_cap=config.logit_cap,
                            dropout=config.attention_dropout if self.training else 0.0)
        return self.proj(out.permute(1, 0, 2).reshape(-1, config.dim))

    @torch.no_grad()
    def weights(self, states: torch.Tensor, sizes: Sequence[int], targets: Sequence[int],
                pivot_bias: Optional[torch.Tensor] = None,
                scale: Optional[float] = None) -> torch.Tensor:
        """The weights of chosen rows over pivots: (heads, targets, largest size)."""
        config = self.config
        q, k, _ = _project(config, self.qkv, self.q_norm, self.k_norm, states)
        return ops.attention_weights(q, k, sizes, targets, pivot_bias,
                                     scale=config.scale if scale is None else scale,
                                     multiplicative=config.composition == "multiplicative",
                                     logit_cap=config.logit_cap)


class FloydBlock(PivotalAttention):
    """R' = R + PA(Norm(R)); R'' = R' + FFN(Norm(R'))."""

    _is_branch = True

    def __init__(self, config: Optional[ModelConfig] = None, **options: Any) -> None:
        super().__init__(config, **options)
        config = self.config
        self.norm1 = Norm(config.norm, config.dim, config.norm_eps)
        if config.symmetric_mix:
            self.mix = _linear(config.dim, config.dim, config.linear_bias, zero=True)
        if config.ffn:
            wide = config.ffn_ratio * config.dim
            self.norm2 = Norm(config.norm, config.dim, config.norm_eps)
            self.up = _linear(config.dim, wide, config.linear_bias, zero=False)
            self.down = _linear(wide, config.dim, config.linear_bias, config.zero_residual)
            if config.ffn_scale:
                self.ffn_scale = nn.Parameter(torch.ones(()))

    def _mixed(self, states: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
        if not self.config.symmetric_mix:
            return states
        layout = TupleLayout(2, sizes)
        transposed: List[torch.Tensor] = [
            own.transpose(0, 1).reshape(-1, self.config.dim) for own in layout.split(states)]
        return states + self.mix(torch.cat(transposed))

    def _attend(self, states: torch.Tensor, sizes: Sequence[int],
                pivot_bias: Optional[torch.Tensor], scale: Optional[float]) -> torch.Tensor:
        out = super().forward(states, sizes, pivot_bias, scale)
        return F.dropout(out, self.config.dropout, self.training)

    def _feed_forward(self, states: torch.Tensor) -> torch.Tensor:
        out = self.down(activate(self.up(states), self.config.activation))
        return F.dropout(out, self.config.dropout, self.training)

    def _scaled(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.ffn_scale if self.config.ffn_scale else x

    def forward(self, states: torch.Tensor, sizes: Sequence[int],
                pivot_bias: Optional[torch.Tensor] = None,
                scale: Optional[float] = None) -> torch.Tensor:
        """States as they come out of the block, (rows, dim)."""
        return called(self.config, self._forward, states, sizes, pivot_bias, scale)

    def _forward(self, states: torch.Tensor, sizes: Sequence[int],
                 pivot_bias: Optional[torch.Tensor], scale: Optional[float]) -> torch.Tensor:
        config = self.config
        mixed = self._mixed(states, sizes)
        if config.norm_position == "pre":
            states = states + self._attend(self.norm1(mixed), sizes, pivot_bias, scale)
            if config.ffn:
                states = states + self._scaled(self._feed_forward(self.norm2(states)))
            return states
        states = self.norm1(states + self._attend(mixed, sizes, pivot_bias, scale))
        # Here the published block scales the normalised sum, not the branch.
        if config.ffn:
            states = self._scaled(self.norm2(states + self._feed_forward(states)))
        return states

    def weights(self, states: torch.Tensor, sizes: Sequence[int], targets: Sequence[int],
                pivot_bias: Optional[torch.Tensor] = None,
                scale: Optional[float] = None) -> torch.Tensor:
        """The attention weights of chosen rows of the block's input."""
        mixed = self._mixed(states, sizes)
        if self.config.norm_position == "pre":
            mixed = self.norm1(mixed)
        return super().weights(mixed, sizes, targets, pivot_bias, scale)
