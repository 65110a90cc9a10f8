"""PyTorch Geometric's Data and Batch to packed inputs of floydnet.nn.FloydNet, and back.

torch_geometric is imported when a function needs it.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from ._core import InputError
from ._torch import torch
from .nn import GraphBatch

__all__ = ["from_packed", "to_packed"]


def _columns(tensor: Optional[torch.Tensor], rows: int, what: str
             ) -> Tuple[Optional[torch.Tensor], Optional[torch.Tensor]]:
    """Features as categories if they are integers, as real numbers if they are floating."""
    if tensor is None:
        return None, None
    if tensor.dim() == 1:
        tensor = tensor.unsqueeze(1)
    if tensor.dim() != 2:
        raise InputError(f"{what} has shape {list(tensor.shape)}, wanted [{rows}, columns]")
    _require_rows(tensor, rows, what)
    if tensor.is_floating_point():
        return None, tensor
    if tensor.is_complex():
        raise InputError(f"{what} has type {tensor.dtype}, wanted integers or real numbers")
    return tensor.long(), None


def _require_rows(tensor: Optional[torch.Tensor], rows: int, what: str) -> None:
    if tensor is not None and (tensor.dim() == 0 or len(tensor) != rows):
        raise InputError(f"{what} has shape {list(tensor.shape)}, wanted {rows} rows")


def _graph_numbers(data: Any, nodes: int) -> Tuple[torch.Tensor, List[int]]:
    numbers = getattr(data, "batch", None)
    if numbers is None:
        return torch.zeros(nodes, dtype=torch.int64), [nodes]
    _require_rows(numbers, nodes, "batch")
    if numbers.numel() and bool((numbers[1:] < numbers[:-1]).any()):
        raise InputError("data: nodes are not in the order of their graphs")
    graphs = getattr(data, "num_graphs", None) or int(numbers.max()) + 1
    return numbers, torch.bincount(numbers, minlength=graphs).tolist()


def to_packed(data: Any) -> GraphBatch:
    """A Data or Batch: x and edge_attr as categories (integers) or real numbers (floating).

    Pairs without an edge have category 0 and real 0; where edges have categories, they count from 1
    then.
    """
    nodes = data.num_nodes
    edge_index = getattr(data, "edge_index", None)
    if nodes is None or edge_index is None:
        raise InputError("data has no nodes or no edge_index")
    if edge_index.dim() != 2 or edge_index.shape[0] != 2:
        raise InputError(f"edge_index has shape {list(edge_index.shape)}, wanted [2, edges]")
    if edge_index.numel() and not (0 <= int(edge_index.min()) and int(edge_index.max()) < nodes):
        raise InputError(f"edge_index has nodes {int(edge_index.min())} to "
                         f"{int(edge_index.max())}, wanted 0 to {nodes - 1}")
    numbers, sizes = _graph_numbers(data, nodes)
    node_categories, node_reals = _columns(getattr(data, "x", None), nodes, "x")
    edge_categories, edge_reals = _columns(getattr(data, "edge_attr", None), edge_index.shape[1],
                                           "edge_attr")
    batch = GraphBatch(sizes, node_categories=node_categories, node_reals=node_reals,
                       edge_index=edge_index)
    graph = numbers[edge_index[0]]
    if bool((graph != numbers[edge_index[1]]).any()):
        raise InputError("edge_index joins nodes of different graphs")
    rows = batch.pair_rows(edge_index, graph)
    if rows.unique().numel() != rows.numel():
        raise InputError("edge_index has an edge twice; parallel edges have no place here")
    pairs = sum(n * n for n in sizes)
    batch.adjacency = torch.zeros(pairs, dtype=torch.int64).index_fill(0, rows, 1)
    if edge_categories is not None:
        batch.pair_categories = edge_categories.new_zeros(
            pairs, edge_categories.shape[1]).index_copy(0, rows, edge_categories + 1)
    if edge_reals is not None:
        batch.pair_reals = edge_reals.new_zeros(pairs, edge_reals.shape[1]).index_copy(
            0, rows, edge_reals)
    return batch


def _edges_of_graphs(batch: GraphBatch) -> List[torch.Tensor]:
    """Of each graph (2, edges), numbered from 0: in the order of edge_index, if there is one."""
    if batch.adjacency is None:
        raise InputError("from_packed: adjacency is absent")
    if batch.edge_index is None:
        return [own.view(n, n).nonzero().t() for own, n in
                zip(batch.adjacency.split([n * n for n in batch.sizes]), batch.sizes)]
    sizes = torch.tensor(batch.sizes, dtype=torch.int64)
    first = torch.cumsum(sizes, 0) - sizes
    graph = torch.repeat_interleave(sizes)[batch.edge_index[0]]  # of each edge
    own = (batch.edge_index - first[graph])[:, graph.sort(stable=True).indices]
    return list(own.split(torch.bincount(graph, minlength=len(sizes)).tolist(), 1))


def from_packed(batch: GraphBatch, *, node: Optional[torch.Tensor] = None,
                pair: Optional[torch.Tensor] = None) -> Any:
    """A Batch of what to_packed has packed: nodes, edges and their features.

    The edges of each graph are in the order that to_packed got, else in that of the pairs.
    node: (nodes, d) and pair: (pairs, d), such as a model's predictions, become `node_out` of the
    nodes and `edge_out` of the edges.
    """
    from torch_geometric.data import Batch, Data

    _require_rows(node, sum(batch.sizes), "node")
    _require_rows(pair, sum(n * n for n in batch.sizes), "pair")
    made, first_node, first_pair = [], 0, 0
    for n, edges in zip(batch.sizes, _edges_of_graphs(batch)):
        nodes = slice(first_node, first_node + n)
        pairs = slice(first_pair, first_pair + n * n)
        rows = edges[0] * n + edges[1]
        data = Data(edge_index=edges.contiguous(), num_nodes=n)
        features = batch.node_categories if batch.node_reals is None else batch.node_reals
        if features is not None:
            data.x = features[nodes]
        if batch.pair_reals is not None:
            data.edge_attr = batch.pair_reals[pairs][rows]
        elif batch.pair_categories is not None:
            data.edge_attr = batch.pair_categories[pairs][rows] - 1
        if node is not None:
            data.node_out = node[nodes]
        if pair is not None:
            data.edge_out = pair[pairs][rows]
        made.append(data)
        first_node, first_pair = first_node + n, first_pair + n * n
    return Batch.from_data_list(made)
