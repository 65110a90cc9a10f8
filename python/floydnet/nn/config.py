"""Everything that determines a model's shape and function; docs/model.md explains each key."""

from __future__ import annotations

import dataclasses
import json
import numbers
from typing import Any, Dict, List, Optional

from .._core import InputError

__all__ = ["ModelConfig"]

_CHOICES = {
    "norm": ("layernorm", "rmsnorm", "batchnorm", "affine", "none"),
    "norm_position": ("pre", "post"),
    "composition": ("additive", "multiplicative"),
    "activation": ("gelu", "relu", "silu"),
    "readout": ("supernode", "sum", "mean", "diagonal"),
    "pair_directions": ("auto", "forward", "both"),
    "node_placement": ("everywhere", "supernode_pairs"),
}
_MANY, _LARGEST = 1_000_000, 1e300
_INTEGERS = {
    "order": (1, 4), "dim": (1, _MANY), "heads": (1, _MANY), "depth": (0, _MANY),
    "ffn_ratio": (1, 1024), "node_reals": (0, _MANY), "pair_reals": (0, _MANY),
    "graph_reals": (0, _MANY), "init_layers": (1, 100), "graph_outputs": (0, _MANY),
    "node_outputs": (0, _MANY), "pair_outputs": (0, _MANY), "head_layers": (1, 100),
}
_LISTS = ("node_categories", "pair_categories", "graph_categories")  # of numbers, 1 to _MANY
_REALS = {"norm_eps": (0, 1), "scale": (-_LARGEST, _LARGEST), "logit_cap": (0, _LARGEST),
          "readout_nodes": (1, _LARGEST),
          "dropout": (0, 0.999), "attention_dropout": (0, 0.999)}


def _integer(value: Any, low: int, high: int) -> Optional[int]:
    """None if it is none, or out of range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        return None
    return int(value) if low <= int(value) <= high else None


def _integers(value: Any, low: int, high: int) -> Optional[List[Any]]:
    if not isinstance(value, (list, tuple)):
        return None
    made = [_integer(item, low, high) for item in value]
    return None if None in made else made


def _real(value: Any, low: float, high: float) -> Optional[float]:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if low <= number <= high else None


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
    readout_nodes: Optional[float] = None
    readout_edges_only: bool = False
    graph_outputs: int = 0
    node_outputs: int = 0
    pair_outputs: int = 0
    head_layers: int = 1

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Refuses what the C++ library's ModelConfig::from_json refuses."""
        for name, choices in _CHOICES.items():
            self._refuse_value(name, getattr(self, name) not in choices,
                               f"one of {', '.join(choices)}")
        for name, (low, high) in _INTEGERS.items():
            self._set(name, _integer(getattr(self, name), low, high),
                      f"an integer, {low} to {high}")
        for name in _LISTS:
            self._set(name, _integers(getattr(self, name), 1, _MANY),
                      f"a list of integers, each 1 to {_MANY}")
        for name, (least, most) in _REALS.items():
            if name not in ("scale", "readout_nodes") or getattr(self, name) is not None:
                self._set(name, _real(getattr(self, name), least, most),
                          f"a number, {least:g} to {most:g}")
        for field in dataclasses.fields(self):
            if isinstance(field.default, bool):
                self._refuse_value(field.name, not isinstance(getattr(self, field.name), bool),
                                   "True or False")
        self._refuse(self.dim % self.heads != 0,
                     f'"dim" is {self.dim}, wanted a multiple of "heads", {self.heads}')
        self._refuse(self.recompute and self.norm == "batchnorm", '"recompute" with "norm" '
                     '"batchnorm" would update its running statistics twice')
        self._refuse(self.symmetric_mix and self.order != 2, '"symmetric_mix" needs "order" 2')
        self._refuse(self.readout_edges_only and self.order != 2,
                     '"readout_edges_only" needs "order" 2')
        self._refuse(self.readout == "supernode" and not self.supernode,
                     '"readout" "supernode" needs "supernode" true')
        self._refuse(self.readout == "diagonal" and self.readout_edges_only, '"readout" '
                     '"diagonal" reads more than edges, without "readout_edges_only"')
        self._refuse(self.node_placement == "supernode_pairs" and not self.supernode,
                     '"node_placement" "supernode_pairs" needs "supernode" true')
        self._refuse(self.pair_outputs > 0 and self.order == 1,
                     '"pair_outputs" need "order" 2 or more')

    def _set(self, name: str, value: Any, wanted: str) -> None:
        self._refuse_value(name, value is None, wanted)
        setattr(self, name, value)

    def _refuse_value(self, name: str, wrong: bool, wanted: str) -> None:
        self._refuse(wrong, f'"{name}" is {getattr(self, name)!r}, wanted {wanted}')

    @staticmethod
    def _refuse(wrong: bool, problem: str) -> None:
        if wrong:
            raise InputError(f"config: {problem}")

    @classmethod
    def of(cls, config: Optional["ModelConfig"], options: Dict[str, Any],
           what: str) -> "ModelConfig":
        """What a module is given: a configuration, or its fields."""
        if config is None:
            return cls(**options)
        if not isinstance(config, cls):
            raise TypeError(f"{what}: config is {config!r}, wanted a ModelConfig")
        if options:
            raise TypeError(f"{what}: got a config and {', '.join(options)}; wanted one or the "
                            "other (dataclasses.replace changes a config)")
        return config

    @classmethod
    def from_dict(cls, values: Dict[str, Any]) -> "ModelConfig":
        """Strict: an unknown key is refused."""
        known = {field.name for field in dataclasses.fields(cls)}
        for key in values:
            if key not in known:
                raise InputError(f'config: "{key}" is unknown')
        return cls(**values)

    def to_json(self) -> str:
        """As the C++ library reads it."""
        self.check()  # fields may have been changed
        return json.dumps(dataclasses.asdict(self))
