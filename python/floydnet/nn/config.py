"""Everything that determines a model's shape and function; docs/model.md explains each key."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, List, Optional

from .._core import InputError

__all__ = ["ModelConfig"]

_CHOICES = {
    "norm": ("layernorm", "rmsnorm", "batchnorm", "affine", "none"),
    "norm_position": ("pre", "post"),
    "composition": ("additive", "multiplicative"),
    "activation": ("gelu", "relu", "silu"),
    "readout": ("supernode", "sum", "mean"),
    "pair_directions": ("auto", "forward", "both"),
    "node_placement": ("everywhere", "supernode_pairs"),
}
_LEAST = {"order": 1, "dim": 1, "heads": 1, "depth": 0, "ffn_ratio": 1, "init_layers": 1,
          "head_layers": 1, "node_reals": 0, "pair_reals": 0, "graph_reals": 0, "graph_outputs": 0,
          "node_outputs": 0, "pair_outputs": 0}


@dataclasses.dataclass
class ModelConfig:
    """The fields and their defaults are those of the C++ library's ModelConfig."""

    order: int = 2
    dim: int = 64
    heads: int = 4
    depth: int = 4
    norm: str = "layernorm"
    norm_position: str = "pre"
    norm_eps: float = 1e-5
    qk_norm: bool = False
    composition: str = "additive"
    scale: Optional[float] = None
    logit_cap: float = 0.0
    linear_bias: bool = False
    ffn: bool = True
    ffn_ratio: int = 4
    activation: str = "gelu"
    dropout: float = 0.0
    attention_dropout: float = 0.0
    symmetric_mix: bool = False
    ffn_scale: bool = False
    zero_residual: bool = True
    recompute: bool = False

    supernode: bool = False
    node_categories: List[int] = dataclasses.field(default_factory=list)
    node_reals: int = 0
    adjacency: bool = True
    pair_categories: List[int] = dataclasses.field(default_factory=list)
    pair_reals: int = 0
    graph_categories: List[int] = dataclasses.field(default_factory=list)
    graph_reals: int = 0
    pair_directions: str = "auto"
    node_placement: str = "everywhere"
    init_layers: int = 2

    readout: str = "sum"
    readout_edges_only: bool = False
    graph_outputs: int = 0
    node_outputs: int = 0
    pair_outputs: int = 0
    head_layers: int = 1

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(f'config: "{name}" is {getattr(self, name)!r}, wanted one of '
                                 f'{", ".join(choices)}')
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f'config: "{name}" is {value!r}, wanted an integer, {least} or '
                                 "more")
        if self.order > 4:
            raise InputError(f'config: "order" is {self.order}, wanted 1 to 4')
        if self.dim % self.heads != 0:
            raise InputError(f'config: "dim" is {self.dim}, wanted a multiple of "heads", '
                             f"{self.heads}")
        for name in ("dropout", "attention_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f'config: "{name}" is {getattr(self, name)!r}, wanted 0 to 0.999')
        self._refuse(self.symmetric_mix and self.order != 2, '"symmetric_mix" needs "order" 2')
        self._refuse(self.readout_edges_only and self.order != 2,
                     '"readout_edges_only" needs "order" 2')
        self._refuse(self.readout == "supernode" and not self.supernode,
                     '"readout" "supernode" needs "supernode" true')
        self._refuse(self.node_placement == "supernode_pairs" and not self.supernode,
                     '"node_placement" "supernode_pairs" needs "supernode" true')
        self._refuse(self.pair_outputs > 0 and self.order == 1,
                     '"pair_outputs" need "order" 2 or more')

    @staticmethod
    def _refuse(wrong: bool, problem: str) -> None:
        if wrong:
            raise InputError(f"config: {problem}")

    @classmethod
    def from_dict(cls, values: Dict[str, Any]) -> "ModelConfig":
        """Strict: an unknown key is refused."""
        known = {field.name for field in dataclasses.fields(cls)}
        for key in values:
            if key not in known:
                raise InputError(f'config: "{key}" is unknown')
        return cls(**values)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))
