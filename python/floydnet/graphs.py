"""Graphs for the functions that take some: made from networkx, edge arrays, matrices or graph6."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, List, Optional, Tuple, Union

import numpy

from . import _core
from ._core import InputError

__all__ = ["Graph", "as_graph"]


class Graph:
    """A graph on the nodes 0..n-1, directed or not, without parallel edges.

    nodes: how many there are; edges: an array (m, 2), or (2, m) as PyTorch Geometric has it, unless
    it has the shape (2, 2), which is two edges as rows. node_categories: one whole number from 0 on
    for each node, or None.
    """

    def __init__(self, nodes: int, edges: Any = (), *, directed: bool = False,
                 node_categories: Optional[Any] = None) -> None:
        nodes = _core.whole(nodes, "nodes")
        self._handle: Optional[int] = None
        self.node_categories: Optional[numpy.ndarray] = None
        array = _core.integers(edges, "edges")
        if array.size == 0:
            array = array.reshape(0, 2)
        elif array.ndim == 2 and array.shape[1] != 2 and array.shape[0] == 2:
            array = numpy.ascontiguousarray(array.T)
        if array.ndim != 2 or array.shape[1] != 2:
            raise InputError(f"edges have shape {list(array.shape)}, wanted [m, 2] or [2, m]")
        self._take(_core.call("floydnet_graph_new", nodes, array.ctypes.data, len(array),
                              int(bool(directed))))
        if node_categories is not None:
            categories = _core.integers(node_categories, "node_categories", 1).copy()
            if not _core.library.floydnet_graph_set_node_categories(
                    self._handle, categories.ctypes.data, len(categories)):
                _core.raise_last()
            self.node_categories = categories

    def _take(self, handle: int) -> None:
        self._handle = handle
        arrays = _core.arrays(_core.call("floydnet_graph_arrays", handle))
        self.nodes = int(arrays["nodes"])
        self.directed = bool(arrays["directed"])
        self.edges = arrays["edges"]

    @classmethod
    def parse(cls, text: str) -> "Graph":
        """One graph of graph6, digraph6 or sparse6."""
        graph = cls.__new__(cls)
        graph._handle = graph.node_categories = None
        graph._take(_core.call("floydnet_graph_parse", _core.encoded(text, "text")))
        return graph

    @classmethod
    def from_networkx(cls, graph: Any, node_category: Optional[str] = None) -> "Graph":
        """Nodes in networkx's order; `node_category` names an attribute of nodes."""
        if graph.is_multigraph():
            raise InputError("graph: a multigraph; parallel edges have no place here")
        names = {node: index for index, node in enumerate(graph.nodes)}
        edges = numpy.array([(names[u], names[v]) for u, v in graph.edges],
                            dtype=numpy.int64).reshape(-1, 2)
        categories = None
        if node_category is not None:
            missing = [node for node, data in graph.nodes(data=True) if node_category not in data]
            if missing:
                raise InputError(f"graph: node {missing[0]!r} has no attribute {node_category!r}")
            categories = [data[node_category] for _, data in graph.nodes(data=True)]
        return cls(len(names), edges, directed=graph.is_directed(), node_categories=categories)

    @classmethod
    def from_matrix(cls, matrix: Any) -> "Graph":
        """Edges where an adjacency matrix (n, n) is not 0; directed unless it is symmetric."""
        array = numpy.asarray(matrix)
        if array.ndim != 2 or array.shape[0] != array.shape[1]:
            raise InputError(f"matrix has shape {list(array.shape)}, wanted [n, n]")
        if array.dtype.kind not in "biuf":
            raise InputError(f"matrix has type {array.dtype}, wanted numbers")
        if array.dtype.kind == "f" and not numpy.isfinite(array).all():
            raise InputError("matrix holds a number that is not finite")
        present = array != 0
        directed = bool((present != present.T).any())
        return cls(len(array), numpy.argwhere(present if directed else numpy.triu(present)),
                   directed=directed)

    def __reduce__(self) -> Tuple[Any, ...]:
        # A copy, or what is unpickled, has a C++ graph of its own.
        made = functools.partial(type(self), directed=self.directed,
                                 node_categories=self.node_categories)
        return made, (self.nodes, self.edges)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _core is not None:
            _core.library.floydnet_graph_free(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        kind = "directed, " if self.directed else ""
        return f"Graph({kind}{self.nodes} nodes, {len(self.edges)} edges)"


# What as_graph takes, but for networkx, which has no types here.
GraphLike = Union[Graph, str, Tuple[int, Any], numpy.ndarray]


def as_graph(value: Any) -> Graph:
    """A Graph from one, a networkx graph, a text of graph6, an adjacency matrix, (nodes, edges)."""
    if isinstance(value, Graph):
        return value
    if isinstance(value, str):
        return Graph.parse(value)
    if hasattr(value, "is_multigraph") and hasattr(value, "edges"):
        return Graph.from_networkx(value)
    if isinstance(value, tuple) and len(value) == 2:
        return Graph(value[0], value[1])
    if isinstance(value, numpy.ndarray):
        return Graph.from_matrix(value)
    raise InputError(f"{type(value).__name__} is no graph; wanted floydnet.Graph, a networkx "
                     "graph, a text of graph6, an adjacency matrix, or (nodes, edges)")


def handles(graphs: List[Graph]) -> Any:
    """Their handles as an array of C pointers."""
    return (ctypes.c_void_p * max(1, len(graphs)))(*[graph._handle for graph in graphs])
