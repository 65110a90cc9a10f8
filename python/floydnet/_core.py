"""libfloydnet_c.so: the part of floydnet that needs no PyTorch, reached by ctypes.

Its functions give handles of named arrays, which become NumPy arrays here, and report failures as
texts, which become exceptions.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import operator
from typing import Any, Dict, Iterator, List, Optional

import numpy

from . import _files


class InputError(ValueError):
    """Bad input; the text names what is wrong and where."""


_EXCEPTIONS = {1: InputError, 2: ValueError, 3: MemoryError, 4: RuntimeError}


@contextlib.contextmanager
def input_errors() -> Iterator[None]:
    """Around calls that read or write files: PyTorch makes the library's InputError a RuntimeError.
    """
    try:
        yield
    except RuntimeError as error:
        raise InputError(str(error)) from error


def _load() -> ctypes.CDLL:
    path = _files.library("floydnet_c")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}") from error
    pointer, number, text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
    signatures = {
        "floydnet_error": (text, []),
        "floydnet_error_kind": (ctypes.c_int, []),
        "floydnet_version": (text, []),
        "floydnet_arrays_count": (number, [pointer]),
        "floydnet_arrays_name": (text, [pointer, number]),
        "floydnet_arrays_type": (text, [pointer, number]),
        "floydnet_arrays_dimensions": (number, [pointer, number]),
        "floydnet_arrays_shape": (ctypes.POINTER(number), [pointer, number]),
        "floydnet_arrays_data": (pointer, [pointer, number]),
        "floydnet_arrays_free": (None, [pointer]),
        "floydnet_graph_new": (pointer, [number, pointer, number, ctypes.c_int]),
        "floydnet_graph_parse": (pointer, [text]),
        "floydnet_graph_set_node_categories": (ctypes.c_int, [pointer, pointer, number]),
        "floydnet_graph_arrays": (pointer, [pointer]),
        "floydnet_graph_free": (None, [pointer]),
        "floydnet_clrs_algorithms": (pointer, []),
        "floydnet_clrs_samples": (pointer, [text, text]),
        "floydnet_clrs_next": (pointer, [pointer, number]),
        "floydnet_clrs_free": (None, [pointer]),
        "floydnet_wl_compare": (pointer, [pointer, pointer, text]),
        "floydnet_count": (pointer, [pointer, number, text, text]),
        "floydnet_tsp_solve": (pointer, [pointer, number, text]),
        "floydnet_tsp_verify": (pointer, [pointer, number, text]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def raise_last() -> None:
    """Raises what the last failed call in this thread has left."""
    kind = _EXCEPTIONS.get(library.floydnet_error_kind(), RuntimeError)
    raise kind(library.floydnet_error().decode("utf-8", "replace"))


def call(name: str, *arguments: Any) -> int:
    """A handle, or the exception that the C++ side threw."""
    handle = getattr(library, name)(*arguments)
    if not handle:
        raise_last()
    return handle


def encoded(text: Any, what: str) -> bytes:
    """A text without zeros as C takes it."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is {type(text).__name__}, wanted str")
    if "\0" in text:
        raise InputError(f"{what} holds a zero character")
    return text.encode("utf-8", "surrogatepass")


def options(**values: Any) -> bytes:
    """Keyword arguments as JSON; those that are None keep their defaults."""
    plain = {}
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, numpy.generic):
            value = value.item()
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InputError(f'"{key}" is {value!r}, wanted a finite number or a text') from error
        plain[key] = value
    return json.dumps(plain).encode("ascii")


def _array(handle: int, index: int) -> numpy.ndarray:
    dimensions = library.floydnet_arrays_dimensions(handle, index)
    shape = tuple(library.floydnet_arrays_shape(handle, index)[:dimensions])
    dtype = numpy.dtype(library.floydnet_arrays_type(handle, index).decode("ascii"))
    array = numpy.empty(shape, dtype)
    if array.nbytes:
        ctypes.memmove(array.ctypes.data, library.floydnet_arrays_data(handle, index), array.nbytes)
    return array


def arrays(handle: int) -> Dict[str, numpy.ndarray]:
    """The named arrays of a handle, which is freed."""
    try:
        return {library.floydnet_arrays_name(handle, i).decode("utf-8"): _array(handle, i)
                for i in range(library.floydnet_arrays_count(handle))}
    finally:
        library.floydnet_arrays_free(handle)


def whole(value: Any, what: str) -> int:
    """An integer that fits C++'s; nothing is rounded."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise InputError(f"{what} is {value!r}, wanted a whole number")
    if not -2**63 <= number < 2**63:
        raise InputError(f"{what} is {number}, which does not fit 64 bits")
    return number


def wholes(values: Any, what: str) -> List[int]:
    """A list of such integers from a sequence, an array or a tensor."""
    values = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InputError(f"{what} is {values!r}, wanted a list of whole numbers")
    return [whole(value, f"{what}[{i}]") for i, value in enumerate(values)]


def integers(values: Any, what: str, dimensions: Optional[int] = None) -> numpy.ndarray:
    """A contiguous int64 array of whole numbers; floats are refused unless they are whole."""
    try:
        array = numpy.asarray(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: {error}") from error
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(numpy.int64)
    if array.dtype.kind == "f":
        if not numpy.isfinite(array).all():
            raise InputError(f"{what} holds a number that is not finite")
        if (array != numpy.floor(array)).any() or (numpy.abs(array) >= 2.0**63).any():
            raise InputError(f"{what} holds a number that is not a whole one")
    elif array.dtype.kind not in "iub":
        raise InputError(f"{what} has type {array.dtype}, wanted integers")
    elif array.dtype.kind == "u" and array.size and array.max() >= 2**63:
        raise InputError(f"{what} holds a number that does not fit 63 bits")
    if dimensions is not None and array.ndim != dimensions:
        raise InputError(f"{what} has shape {list(array.shape)}, wanted {dimensions} dimensions")
    return numpy.ascontiguousarray(array, dtype=numpy.int64)


def version() -> str:
    """The version of the library."""
    return library.floydnet_version().decode("ascii")
