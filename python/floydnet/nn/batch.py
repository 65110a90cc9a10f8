"""The inputs of a batch of graphs, packed: node rows, then pair rows, one graph after the other."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Optional, Sequence

import numpy
import torch

from .._core import InputError
from ..graphs import as_graph

__all__ = ["GraphBatch", "make_batch"]


@dataclasses.dataclass
class GraphBatch:
    """None stands in for features that there are none of."""

    sizes: List[int]  # nodes of each graph, without a SuperNode
    adjacency: Optional[torch.Tensor] = None  # (pairs,) int64
    node_categories: Optional[torch.Tensor] = None  # (nodes, columns) int64
    node_reals: Optional[torch.Tensor] = None  # (nodes, columns)
    pair_categories: Optional[torch.Tensor] = None  # (pairs, columns) int64
    pair_reals: Optional[torch.Tensor] = None  # (pairs, columns)
    graph_categories: Optional[torch.Tensor] = None  # (graphs, columns) int64
    graph_reals: Optional[torch.Tensor] = None  # (graphs, columns)
    edge_index: Optional[torch.Tensor] = None  # (2, edges), as floydnet.pyg.to_packed got it

    def pair_rows(self, edge_index: torch.Tensor, graph: torch.Tensor) -> torch.Tensor:
        """Rows of the pairs of an edge_index (2, edges) that numbers nodes through the batch."""
        sizes = torch.tensor(self.sizes, dtype=torch.int64)
        first_node = torch.cumsum(sizes, 0) - sizes
        first_pair = torch.cumsum(sizes * sizes, 0) - sizes * sizes
        source = edge_index[0] - first_node[graph]
        target = edge_index[1] - first_node[graph]
        return first_pair[graph] + source * sizes[graph] + target


def make_batch(graphs: Sequence[Any]) -> GraphBatch:
    """Packs graphs as floydnet.as_graph takes them.

    The node_categories of a floydnet.Graph become those of the batch, one column; all graphs have
    them or none.
    """
    made = [as_graph(graph) for graph in graphs]
    if not made:
        raise InputError("make_batch: got no graphs, wanted at least one")
    batch = GraphBatch([graph.nodes for graph in made])
    parts = []
    for graph in made:
        matrix = torch.zeros(graph.nodes, graph.nodes, dtype=torch.int64)
        edges = torch.from_numpy(graph.edges)
        matrix[edges[:, 0], edges[:, 1]] = 1
        if not graph.directed:
            matrix[edges[:, 1], edges[:, 0]] = 1
        parts.append(matrix.flatten())
    batch.adjacency = torch.cat(parts)
    categories = [graph.node_categories for graph in made if graph.node_categories is not None]
    if categories:
        if len(categories) < len(made):
            raise InputError(f"make_batch: {len(categories)} of {len(made)} graphs have "
                             "node_categories, wanted all or none")
        batch.node_categories = torch.from_numpy(numpy.concatenate(categories)).unsqueeze(1)
    return batch
