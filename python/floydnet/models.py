"""Models that come with floydnet, and others that its program has trained."""

from __future__ import annotations

import io
import json
import os
import pathlib
import zipfile
from typing import Any, Dict, List, Literal, Mapping, Sequence, Tuple, Union, overload

import numpy

from . import _core, _files, ops, tsp
from ._core import InputError
from ._torch import torch
from .nn import FloydNet

__all__ = ["ClrsModel", "PropertyModel", "TourModel", "load", "stored"]


TourName = Literal["tsp/euclidean", "tsp/explicit"]
StoredName = Literal[
    "clrs/activity_selector", "clrs/articulation_points", "clrs/bellman_ford", "clrs/bfs",
    "clrs/binary_search", "clrs/bridges", "clrs/bubble_sort", "clrs/dag_shortest_paths", "clrs/dfs",
    "clrs/dijkstra", "clrs/find_maximum_subarray_kadane", "clrs/floyd_warshall", "clrs/graham_scan",
    "clrs/heapsort", "clrs/insertion_sort", "clrs/jarvis_march", "clrs/kmp_matcher",
    "clrs/lcs_length", "clrs/matrix_chain_order", "clrs/minimum", "clrs/mst_kruskal",
    "clrs/mst_prim", "clrs/naive_string_matcher", "clrs/optimal_bst", "clrs/quickselect",
    "clrs/quicksort", "clrs/segments_intersect", "clrs/strongly_connected_components",
    "clrs/task_scheduling", "clrs/topological_sort"]


class ClrsModel:
    """A model that has learned one of the CLRS algorithms, run by the C++ library's kernels."""

    def __init__(self, path: str) -> None:
        with _core.input_errors():
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
        nodes: List[int] = []
        for i, pair in enumerate(pairs):
            own = _core.wholes(pair, f"pairs[{i}]")
            if len(own) != 2:
                raise InputError(f"pairs[{i}] is {pair!r}, wanted two nodes")
            nodes += own
        return self._solver.attention(self._tensors(inputs), nodes,
                                      _core.whole(block, "block")).numpy()

    def __repr__(self) -> str:
        return f"ClrsModel({self.algorithm}, {self.blocks} blocks)"


class TourModel:
    """A model that has learned to draw short tours, as `floydnet train tsp` trains them."""

    def __init__(self, path: str) -> None:
        with _core.input_errors():
            self._model = torch.classes.floydnet.TourModel(str(path))

    def _call(self, name: str, matrix: Any, scale: float, seed: int, steps: int) -> numpy.ndarray:
        seed, steps = _core.whole(seed, "seed"), _core.whole(steps, "steps")
        if steps < 1:
            raise InputError(f"steps is {steps}, wanted at least 1")
        weights = torch.from_numpy(tsp.scaled_weights(matrix, scale))
        with _core.input_errors():
            return getattr(self._model, name)(weights, seed, steps).numpy()

    def edges(self, matrix: Any, *, scale: float = 1, seed: int = 1,
              steps: int = 50) -> numpy.ndarray:
        """What a sample says of each edge, (n, n): near 1 if it is in the tour.

        matrix and scale are those of floydnet.tsp.solve; `steps` are those of diffusion.
        """
        return self._call("edges", matrix, scale, seed, steps)

    def tour(self, matrix: Any, *, scale: float = 1, seed: int = 1,
             steps: int = 50) -> numpy.ndarray:
        """The tour that such edges make, the likeliest first, as cities from 0."""
        return self._call("tour", matrix, scale, seed, steps)


def _archive(graphs: Mapping[str, Any]) -> torch.Tensor:
    """Arrays as the bytes of an NPZ archive, in which the C++ library reads them."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        for name, value in graphs.items():
            if not isinstance(name, str):
                raise InputError(f"graphs: the name {name!r} is not a text")
            array = io.BytesIO()
            try:
                numpy.lib.format.write_array(array, numpy.asarray(value), allow_pickle=False)
            except (RuntimeError, TypeError, ValueError) as error:
                raise InputError(f"graphs: {name} is no array of numbers: {error}") from error
            members.writestr(f"{name}.npy", array.getbuffer())
    return torch.frombuffer(archive.getbuffer(), dtype=torch.uint8)


class PropertyModel:
    """A model of properties of graphs, nodes, edges or pairs, of `floydnet train graphs`."""

    def __init__(self, path: str) -> None:
        with _core.input_errors():
            self._model = torch.classes.floydnet.PropertyModel(str(path))
        self.targets: List[str] = self._model.targets()

    def predict(self, graphs: Union[str, os.PathLike[str], Mapping[str, Any]]
                ) -> Dict[str, numpy.ndarray]:
        """The arrays that `floydnet predict` writes to an NPZ archive.

        graphs: a file (NPZ or JSON lines), or the arrays of one by name, such as numpy.load gives;
        labels are not needed. The result has `sizes`, `edges` or `pairs` where they name rows, and
        for each target (rows, outputs): numbers, probabilities of yes, or of each class.
        """
        if isinstance(graphs, (str, os.PathLike)):
            with _core.input_errors():
                found = self._model.predict_file(os.fspath(graphs))
        elif isinstance(graphs, Mapping):
            archive = _archive(graphs)
            with _core.input_errors():
                found = self._model.predict_archive(archive)
        else:
            raise InputError(f"graphs are {graphs!r}, wanted a file or a dict of arrays")
        return {name: tensor.numpy() for name, tensor in found.items()}

    def __repr__(self) -> str:
        return f"PropertyModel({', '.join(self.targets)})"


def stored() -> List[str]:
    """The names of the models that come with floydnet, such as "clrs/bfs"."""
    folder = _files.models()
    return sorted(str(path.relative_to(folder).with_suffix(""))
                  for path in folder.glob("*/*.safetensors"))


def _task(metadata: Mapping[str, str]) -> Any:
    """The task of the run that weights are of, None if they are of no run."""
    try:
        run = json.loads(metadata.get("floydnet.run", ""))
    except json.JSONDecodeError:
        return None
    return run.get("task") if isinstance(run, dict) else None


@overload
def load(name: StoredName) -> ClrsModel: ...


@overload
def load(name: TourName) -> TourModel: ...


@overload
def load(name: Union[str, pathlib.Path]
         ) -> Union[ClrsModel, TourModel, PropertyModel, FloydNet]: ...


def load(name: Union[str, pathlib.Path]
         ) -> Union[ClrsModel, TourModel, PropertyModel, FloydNet]:
    """A stored model by its name ("clrs/bfs"), or one from a file or from the folder of a run.

    Weights of CLRS runs give a ClrsModel, those of tours a TourModel, those of `train graphs` a
    PropertyModel; those of counting runs and of FloydNet.save give a floydnet.nn.FloydNet in eval
    mode.
    """
    text = str(name)
    path = pathlib.Path(text)
    if path.is_dir():
        path = path / "best.safetensors"
    elif path.suffix != ".safetensors":
        path = _files.models() / f"{text}.safetensors"
        if text not in stored():
            raise InputError(f"there is no model {text!r}; there are {', '.join(stored())}")
    with _core.input_errors():
        metadata = torch.classes.floydnet.StoredFile(str(path)).metadata()
    if "floydnet.config" in metadata:
        return FloydNet.load(str(path))
    task = _task(metadata)
    if task == "tsp":
        return TourModel(str(path))
    if task == "graphs":
        return PropertyModel(str(path))
    if task not in (None, "clrs"):
        raise InputError(f"{path}: weights of the task {task!r}; Python loads those of clrs, tsp, "
                         f"graphs and counting, and 'floydnet eval {path}' evaluates these")
    return ClrsModel(str(path))


_ = ops  # loads the library
