"""Exact counts of small patterns in graphs: of the graph, through each node, through each pair."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Sequence, Union, overload

import numpy

from . import _core
from .graphs import Graph, GraphLike, as_graph, handles

__all__ = ["Counts", "count"]


@dataclasses.dataclass
class Counts:
    """Of one graph with n nodes; nodes and pairs are None where they were not asked for."""

    graph: int
    nodes: Optional[numpy.ndarray]  # (n,)
    pairs: Optional[numpy.ndarray]  # (n, n)


@overload
def count(graphs: List[Any], patterns: Union[str, Sequence[str]] = ..., *, nodes: bool = ...,
          pairs: bool = ..., threads: int = ...,
          max_bytes: Optional[int] = ...) -> List[Dict[str, Counts]]: ...


@overload
def count(graphs: GraphLike, patterns: Union[str, Sequence[str]] = ..., *, nodes: bool = ...,
          pairs: bool = ..., threads: int = ...,
          max_bytes: Optional[int] = ...) -> Dict[str, Counts]: ...


def count(graphs: Any, patterns: Union[str, Sequence[str]] = "all", *, nodes: bool = True,
          pairs: bool = True, threads: int = 1,
          max_bytes: Optional[int] = None) -> Union[Dict[str, Counts], List[Dict[str, Counts]]]:
    """Counts by pattern, of one graph or of each of a list.

    patterns: names of the benchmark ("cycle5", "all"), or graph6 of 2 to 10 nodes, several with
    commas between them or as a list; "hom:" before one counts homomorphisms, "sub:" copies.
    """
    single = not isinstance(graphs, list)
    made: List[Graph] = [as_graph(graph) for graph in ([graphs] if single else graphs)]
    text = patterns if isinstance(patterns, str) else ",".join(patterns)
    arrays = _core.arrays(_core.call(
        "floydnet_count", handles(made), len(made), _core.encoded(text, "patterns"),
        _core.options(nodes=nodes, pairs=pairs, threads=threads, max_bytes=max_bytes)))
    names = [key[len("graph/"):] for key in arrays if key.startswith("graph/")]
    sizes = [graph.nodes for graph in made]
    node_ends = numpy.cumsum([0] + sizes)
    pair_ends = numpy.cumsum([0] + [n * n for n in sizes])

    def counts(name: str, i: int) -> Counts:
        of_nodes = arrays.get("node/" + name)
        of_pairs = arrays.get("pair/" + name)
        return Counts(
            int(arrays["graph/" + name][i]),
            None if of_nodes is None else of_nodes[node_ends[i]:node_ends[i + 1]],
            None if of_pairs is None else
            of_pairs[pair_ends[i]:pair_ends[i + 1]].reshape(sizes[i], sizes[i]))

    result = [{name: counts(name, i) for name in names} for i in range(len(made))]
    return result[0] if single else result
