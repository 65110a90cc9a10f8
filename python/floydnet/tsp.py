"""Shortest tours, proven: symmetric travelling salesman problems by branch and cut."""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any, Optional

import numpy

from . import _core

__all__ = ["Tour", "solve", "verify"]


@dataclasses.dataclass
class Tour:
    """A tour and what is known of it: no tour is shorter than `bound`, in the matrix's numbers."""

    tour: numpy.ndarray
    length: float
    bound: float
    proven: bool
    nodes: int
    cuts: int
    seconds: float
    certificate: Optional[str] = None


def scaled_weights(matrix: Any, scale: float) -> numpy.ndarray:
    """The matrix times the scale, in whole numbers."""
    try:
        array = numpy.asarray(matrix)
    except (TypeError, ValueError) as error:
        raise _core.InputError(f"matrix: {error}") from error
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise _core.InputError(f"matrix has shape {list(array.shape)}, wanted [n, n]")
    if (isinstance(scale, bool) or not isinstance(scale, numbers.Real)
            or not 0 < scale < float("inf")):
        raise _core.InputError(f"scale is {scale!r}, wanted a number above 0")
    if scale != 1:
        if array.dtype.kind not in "fiu":
            raise _core.InputError(f"matrix has type {array.dtype}, wanted numbers")
        array = numpy.rint(array * float(scale))
    return _core.integers(array, "matrix")


def solve(matrix: Any, *, scale: float = 1, seed: int = 1, time_limit: Optional[float] = None,
          certificate: bool = False) -> Tour:
    """The shortest tour of a symmetric matrix (n, n) of whole numbers in [0, 2^31).

    Real distances are multiplied by `scale` and rounded first, and lengths divided by it again;
    what is proven is the optimum of the rounded ones. A time limit (seconds; None or 0: none) may
    end it unproven.
    """
    weights = scaled_weights(matrix, scale)
    arrays = _core.arrays(_core.call(
        "floydnet_tsp_solve", weights.ctypes.data, len(weights),
        _core.options(seed=seed, time_limit=time_limit, certificate=certificate)))
    text = arrays.pop("certificate", None)
    tour = arrays.pop("tour")
    fields = {key: value.item() for key, value in arrays.items()}
    if scale != 1:
        fields["length"], fields["bound"] = fields["length"] / scale, fields["bound"] / scale
    return Tour(tour=tour, certificate=None if text is None else text.tobytes().decode("utf-8"),
                **fields)


def verify(matrix: Any, certificate: str, *, scale: float = 1) -> numpy.ndarray:
    """The optimal tour that a certificate proves; floydnet.InputError if it proves none."""
    weights = scaled_weights(matrix, scale)
    return _core.arrays(_core.call("floydnet_tsp_verify", weights.ctypes.data, len(weights),
                                   _core.encoded(certificate, "certificate")))["tour"]
