"""k-FWL colour refinement: which graphs could any k-FloydNet tell apart?"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

from . import _core
from .graphs import as_graph

__all__ = ["Verdict", "compare"]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What refinement says of two graphs; true if they are told apart."""

    distinguished: bool
    sizes_differ: bool
    rounds: int
    stable: bool
    colours: int
    compressed: bool

    def __bool__(self) -> bool:
        return self.distinguished


def compare(g: Any, h: Any, k: int = 2, *, rounds: Optional[int] = None, threads: int = 1,
            max_bytes: Optional[int] = None, evaluation: str = "auto") -> Verdict:
    """Refines the k-tuples of both graphs together (k = 1 is the classical 1-WL), k = 1..4.

    Graphs are what floydnet.as_graph takes. rounds: at most so many; evaluation: "auto", "dense" or
    "compressed" (one tuple an orbit). Raises floydnet.InputError if it would need more memory than
    max_bytes.
    """
    a, b = as_graph(g), as_graph(h)  # held while C++ uses them
    arrays = _core.arrays(_core.call(
        "floydnet_wl_compare", a._handle, b._handle,
        _core.options(order=k, rounds=rounds, threads=threads, max_bytes=max_bytes,
                      evaluation=evaluation)))
    return Verdict(**{key: value.item() for key, value in arrays.items()})
