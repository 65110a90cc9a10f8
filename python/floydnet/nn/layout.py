"""Where the state of a k-tuple stands when graphs are packed, and what each row speaks of."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import torch

from .. import _core
from .._core import InputError

__all__ = ["TupleLayout", "TupleIndex"]


class TupleLayout:
    """Graph b owns sizes[b]^order consecutive rows, tuples in lexicographic order."""

    def __init__(self, order: int, sizes: Sequence[int]) -> None:
        self.order = order = _core.whole(order, "order")
        self.sizes = _core.wholes(sizes, "sizes")
        if not 1 <= order <= 4:
            raise InputError(f"TupleLayout: order is {order}, wanted 1 to 4")
        if any(n < 0 for n in self.sizes):
            raise InputError(f"TupleLayout: sizes {self.sizes} are not all 0 or more")
        self.offsets: List[int] = [0]
        for n in self.sizes:
            self.offsets.append(self.offsets[-1] + n**order)

    @property
    def rows(self) -> int:
        return self.offsets[-1]

    def row(self, graph: int, nodes: Sequence[int]) -> int:
        """Row of a tuple of nodes of a graph."""
        graph, nodes = _core.whole(graph, "graph"), _core.wholes(nodes, "nodes")
        if not 0 <= graph < len(self.sizes):
            raise InputError(f"TupleLayout: graph is {graph}, wanted 0 to {len(self.sizes) - 1}")
        n = self.sizes[graph]
        if len(nodes) != self.order or not all(0 <= v < n for v in nodes):
            raise InputError(f"TupleLayout: {nodes} is no {self.order}-tuple of {n} nodes")
        row = 0
        for v in nodes:
            row = row * n + v
        return self.offsets[graph] + row

    def split(self, states: torch.Tensor) -> List[torch.Tensor]:
        """The states of each graph, (n, ..., n, dim), without copying."""
        return [states[first:last].view([n] * self.order + list(states.shape[1:]))
                for first, last, n in zip(self.offsets, self.offsets[1:], self.sizes)]


class TupleIndex:
    """Index tensors over the tuples of a batch. The SuperNode, if there is one, is the last node of
    each graph, and what involves it has the number one past the end."""

    def __init__(self, order: int, sizes: Sequence[int], supernode: bool) -> None:
        sizes = _core.wholes(sizes, "sizes")
        self.layout = TupleLayout(order, [n + int(supernode) for n in sizes])
        self.node_count = sum(sizes)
        self.pair_count = sum(n * n for n in sizes)
        graphs, self.coordinates, real, first_node, first_pair = self._tuples(sizes)
        self.graph = graphs
        self._real, self._first_node, self._first_pair = real, first_node, first_pair

    def _tuples(self, sizes: Sequence[int]) -> Tuple[torch.Tensor, ...]:
        order = self.layout.order
        counts = torch.tensor([n**order for n in self.layout.sizes], dtype=torch.int64)
        graphs = torch.repeat_interleave(torch.arange(len(sizes)), counts)
        starts = torch.tensor(self.layout.offsets[:-1], dtype=torch.int64)
        full = torch.tensor(self.layout.sizes, dtype=torch.int64)[graphs]
        real = torch.tensor(list(sizes), dtype=torch.int64)
        place = torch.arange(self.layout.rows) - starts[graphs]
        coordinates: List[torch.Tensor] = []
        for _ in range(order):
            coordinates.insert(0, place % full.clamp(min=1))
            place = torch.div(place, full.clamp(min=1), rounding_mode="floor")
        first_node = torch.cumsum(real, 0) - real
        first_pair = torch.cumsum(real * real, 0) - real * real
        stacked = torch.stack(coordinates) if coordinates else torch.empty(0, 0)
        return graphs, stacked, real[graphs], first_node[graphs], first_pair[graphs]

    def _is_supernode(self, a: int) -> torch.Tensor:
        return self.coordinates[a] == self._real

    def node(self, a: int) -> torch.Tensor:
        index = self._first_node + self.coordinates[a]
        return index.masked_fill(self._is_supernode(a), self.node_count)

    def pair(self, a: int, b: int) -> torch.Tensor:
        index = self._first_pair + self.coordinates[a] * self._real + self.coordinates[b]
        return index.masked_fill(self._is_supernode(a) | self._is_supernode(b), self.pair_count)

    def supernode_bits(self) -> torch.Tensor:
        bits = torch.zeros_like(self._real)
        for a in range(self.layout.order):
            bits = bits + (self._is_supernode(a).long() << a)
        return bits

    def equal(self, a: int, b: int) -> torch.Tensor:
        return self.coordinates[a] == self.coordinates[b]
