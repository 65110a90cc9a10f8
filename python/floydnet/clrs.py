"""Data of the 30 algorithms of the CLRS benchmark, equal to the official package's to the last bit.

    >>> from floydnet import clrs
    >>> stream = clrs.samples("bfs", length=16, batch=32, seed=1)
    >>> batch = next(stream)
    >>> batch.inputs["A"].shape
    (32, 16, 16)

Needs NumPy alone: neither PyTorch nor JAX nor TensorFlow.
"""

from __future__ import annotations

import dataclasses
import threading
from typing import Dict, Iterator, List, NoReturn, Optional, Sequence

import numpy

from . import _core

__all__ = ["Batch", "Samples", "algorithms", "samples"]


@dataclasses.dataclass
class Batch:
    """Samples in the official layout: inputs, outputs (batch, ...), hints (steps, batch, ...)."""

    inputs: Dict[str, numpy.ndarray]
    outputs: Dict[str, numpy.ndarray]
    hints: Dict[str, numpy.ndarray]
    lengths: numpy.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def problem(self, index: int) -> Dict[str, numpy.ndarray]:
        """The inputs of one sample, as a loaded model takes them."""
        return {name: array[index] for name, array in self.inputs.items()}


def algorithms() -> List[str]:
    """The names of all 30."""
    names = _core.arrays(_core.call("floydnet_clrs_algorithms"))["algorithms"]
    return [name.decode("ascii") for name in names]


class Samples(Iterator[Batch]):
    """An endless iterator over batches; sample k does not depend on how they are batched.

    Threads may share one: each batch goes to one of them.
    """

    def __init__(self, algorithm: str, *, length: int = 16, batch: int = 32, seed: int = 1,
                 hints: bool = True, edge_probabilities: Optional[Sequence[float]] = None,
                 needle_length: Optional[int] = None) -> None:
        self._handle = None
        self._lock = threading.Lock()
        self.batch = batch
        probabilities = None
        if edge_probabilities is not None:
            try:
                probabilities = numpy.asarray(edge_probabilities, numpy.float64).ravel().tolist()
            except (TypeError, ValueError) as error:
                raise _core.InputError(f"edge_probabilities: {error}") from error
        self._handle = _core.call(
            "floydnet_clrs_samples", _core.encoded(algorithm, "algorithm"),
            _core.options(length=length, seed=seed, hints=hints, edge_probabilities=probabilities,
                          needle_length=needle_length))

    def next(self, count: int) -> Batch:
        """The next `count` samples."""
        count = _core.whole(count, "batch")
        with self._lock:
            handle = _core.call("floydnet_clrs_next", self._handle, count)
        arrays = _core.arrays(handle)
        stages: Dict[str, Dict[str, numpy.ndarray]] = {"input": {}, "output": {}, "hint": {}}
        lengths = arrays.pop("lengths")
        for key, array in arrays.items():
            stage, _, name = key.partition("/")
            stages[stage][name] = array
        return Batch(stages["input"], stages["output"], stages["hint"], lengths)

    def __next__(self) -> Batch:
        return self.next(self.batch)

    def __iter__(self) -> "Samples":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("Samples cannot be copied or pickled; make others with clrs.samples(...) "
                        "and the same seed")

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _core is not None:
            _core.library.floydnet_clrs_free(self._handle)
            self._handle = None


def samples(algorithm: str, *, length: int = 16, batch: int = 32, seed: int = 1,
            hints: bool = True, edge_probabilities: Optional[Sequence[float]] = None,
            needle_length: Optional[int] = None) -> Samples:
    """Solved problems of an algorithm, without end.

    length: nodes of each; seed: of the official generator; hints: whether the algorithm's steps are
    recorded; edge_probabilities: one of them is drawn for each graph; needle_length: of string
    matching, where -m is random in 1..m. Raises floydnet.InputError for what cannot be drawn.
    """
    return Samples(algorithm, length=length, batch=batch, seed=seed, hints=hints,
                   edge_probabilities=edge_probabilities, needle_length=needle_length)
