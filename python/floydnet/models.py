"""Models that come with floydnet, and others that its program has trained."""

from __future__ import annotations

import pathlib
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

import numpy
import torch

from . import _files, ops
from ._core import InputError
from .nn import FloydNet

__all__ = ["ClrsModel", "load", "stored"]


class ClrsModel:
    """A model that has learned one of the CLRS algorithms, run by the C++ library's kernels."""

    def __init__(self, path: str) -> None:
        self._solver = torch.classes.floydnet.ClrsSolver(str(path))
        self.algorithm: str = self._solver.algorithm()
        self.blocks: int = self._solver.blocks()

    @staticmethod
    def _tensors(inputs: Mapping[str, Any]) -> Dict[str, torch.Tensor]:
        if not isinstance(inputs, Mapping) or not inputs:
            raise InputError("inputs are not a dict of arrays, such as batch.problem(0)")
        tensors = {}
        for name, value in inputs.items():
            if not isinstance(name, str):
                raise InputError(f"inputs: the name {name!r} is not a text")
            if not isinstance(value, torch.Tensor):
                array = numpy.asarray(value)
                if array.dtype.kind not in "biuf":
                    raise InputError(f"input '{name}' has type {array.dtype}, wanted numbers")
                value = torch.from_numpy(numpy.array(array))
            elif value.is_complex():
                raise InputError(f"input '{name}' has type {value.dtype}, wanted numbers")
            tensors[name.partition("/")[2] or name] = value
        return tensors

    def predict(self, inputs: Mapping[str, Any]) -> Dict[str, numpy.ndarray]:
        """The outputs of one problem: masks and one-hot classes as 0 and 1, pointers as indices.

        inputs: arrays by the benchmark's names, as clrs.Batch.problem gives them.
        """
        outputs = self._solver.solve(self._tensors(inputs))
        return {name: tensor.numpy() for name, tensor in outputs.items()}

    def attention(self, inputs: Mapping[str, Any], pairs: Sequence[Tuple[int, int]],
                  block: int = -1) -> numpy.ndarray:
        """Attention weights of pairs (i, k) over pivots j in a block: (heads, pairs, pivots).

        Where the model has a SuperNode it is the last pivot.
        """
        nodes: List[int] = [int(node) for pair in pairs for node in pair]
        if any(len(pair) != 2 for pair in pairs):
            raise InputError("pairs are not all of two nodes")
        return self._solver.attention(self._tensors(inputs), nodes, int(block)).numpy()

    def __repr__(self) -> str:
        return f"ClrsModel({self.algorithm}, {self.blocks} blocks)"


def stored() -> List[str]:
    """The names of the models that come with floydnet, such as "clrs/bfs"."""
    folder = _files.models()
    return sorted(str(path.relative_to(folder).with_suffix(""))
                  for path in folder.glob("*/*.safetensors"))


def load(name: Union[str, pathlib.Path]) -> Union[ClrsModel, FloydNet]:
    """A stored model by its name ("clrs/bfs"), or one from a file or from the folder of a run.

    Weights of CLRS runs give a ClrsModel, others a floydnet.nn.FloydNet.
    """
    text = str(name)
    path = pathlib.Path(text)
    if path.is_dir():
        path = path / "best.safetensors"
    elif path.suffix != ".safetensors":
        path = _files.models() / f"{text}.safetensors"
        if text not in stored():
            raise InputError(f"there is no model {text!r}; there are {', '.join(stored())}")
    metadata = torch.classes.floydnet.StoredFile(str(path)).metadata()
    if "floydnet.config" in metadata:
        return FloydNet.load(str(path))
    return ClrsModel(str(path))


_ = ops  # loads the library
