"""FloydNet: states made by Init, refined by FloydBlocks, read out for graphs, nodes, pairs."""

from __future__ import annotations

import json
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch import nn

from .. import _core, ops
from .._core import InputError
from .batch import GraphBatch
from .blocks import FloydBlock, activate, called
from .config import ModelConfig
from .layout import TupleIndex, TupleLayout

__all__ = ["FloydNet", "Predictions"]


class Predictions(NamedTuple):
    """None where the model has no such outputs."""

    graph: Optional[torch.Tensor]  # (graphs, graph_outputs)
    node: Optional[torch.Tensor]  # (nodes, node_outputs)
    pair: Optional[torch.Tensor]  # (pairs, pair_outputs)


class _Mlp(nn.Module):
    def __init__(self, widths: Sequence[int], activation: str) -> None:
        super().__init__()
        self.activation = activation
        for i, (inputs, outputs) in enumerate(zip(widths, widths[1:])):
            self.add_module(str(i), nn.Linear(inputs, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, layer in enumerate(self.children()):
            x = layer(activate(x, self.activation) if i > 0 else x)
        return x


class _FeatureMap(nn.Module):
    """A sum of embeddings of categories and a linear map of real numbers."""

    def __init__(self, categories: Sequence[int], reals: int, dim: int) -> None:
        super().__init__()
        self.sizes = list(categories)
        self.columns = reals
        for i, size in enumerate(categories):
            self.add_module(f"category{i}", nn.Embedding(size, dim))
        if reals > 0:
            self.reals = nn.Linear(reals, dim, bias=False)

    @staticmethod
    def _check(tensor: Optional[torch.Tensor], rows: int, columns: int, what: str) -> None:
        if columns > 0 and (tensor is None or list(tensor.shape) != [rows, columns]):
            found = "absent" if tensor is None else list(tensor.shape)
            raise InputError(f"FloydNet: {what} is {found}, wanted [{rows}, {columns}]")

    def forward(self, categories: Optional[torch.Tensor], reals: Optional[torch.Tensor], rows: int,
                what: str) -> torch.Tensor:
        self._check(categories, rows, len(self.sizes), f"{what}_categories")
        self._check(reals, rows, self.columns, f"{what}_reals")
        terms = []
        for i, size in enumerate(self.sizes):
            assert categories is not None  # checked above
            column = categories[:, i]
            if column.numel() and not (0 <= int(column.min()) and int(column.max()) < size):
                raise InputError(f"FloydNet: column {i} of {what}_categories has values "
                                 f"{int(column.min())} to {int(column.max())}, wanted 0 to "
                                 f"{size - 1}")
            terms.append(getattr(self, f"category{i}")(column))
        if self.columns > 0:
            assert reals is not None
            terms.append(self.reals(reals.to(self.reals.weight.dtype)))
        return sum(terms[1:], terms[0])


def _with_zero_row(table: torch.Tensor) -> torch.Tensor:
    return torch.cat([table, table.new_zeros(1, table.shape[1])])


class _Init(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        order, dim = config.order, config.dim
        self.sees_nodes = bool(config.node_categories) or config.node_reals > 0
        if self.sees_nodes:
            for a in range(order):
                self.add_module(f"node{a}",
                                _FeatureMap(config.node_categories, config.node_reals, dim))
        categories = ([2] if config.adjacency else []) + list(config.pair_categories)
        self.pairs = self._seen_pairs() if categories or config.pair_reals > 0 else []
        for a, b in self.pairs:
            self.add_module(f"pair{a}{b}", _FeatureMap(categories, config.pair_reals, dim))
        self.sees_graph = bool(config.graph_categories) or config.graph_reals > 0
        if self.sees_graph:
            self.graph = _FeatureMap(config.graph_categories, config.graph_reals, dim)
        if order > 1:
            self.equality = nn.Parameter(torch.randn(order * (order - 1) // 2, dim))
        if config.supernode:
            self.supernode = nn.Parameter(torch.randn(1 << order, dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        if config.init_layers > 1:
            self.mlp = _Mlp([dim] * config.init_layers, config.activation)

    def _seen_pairs(self) -> List[Tuple[int, int]]:
        config = self.config
        if config.order == 1:
            return [(0, 0)]
        both = config.pair_directions == "both" or (config.pair_directions == "auto"
                                                    and config.order > 2)
        return [(a, b) for a in range(config.order) for b in range(config.order)
                if a < b or (both and a != b)]

    def _pair_categories(self, batch: GraphBatch, pairs: int) -> Optional[torch.Tensor]:
        if not self.config.adjacency:
            return batch.pair_categories
        if batch.adjacency is None or list(batch.adjacency.shape) != [pairs]:
            found = "absent" if batch.adjacency is None else list(batch.adjacency.shape)
            raise InputError(f"FloydNet: adjacency is {found}, wanted [{pairs}]")
        edges = batch.adjacency.unsqueeze(1)
        if not self.config.pair_categories:
            return edges
        _FeatureMap._check(batch.pair_categories, pairs, len(self.config.pair_categories),
                           "pair_categories")
        assert batch.pair_categories is not None
        return torch.cat([edges, batch.pair_categories], 1)

    def _node_terms(self, batch: GraphBatch, index: TupleIndex) -> torch.Tensor:
        terms = []
        for a in range(self.config.order):
            table = getattr(self, f"node{a}")(batch.node_categories, batch.node_reals,
                                              index.node_count, "node")
            rows = index.node(a)
            if self.config.node_placement == "supernode_pairs":
                others = ((1 << self.config.order) - 1) ^ (1 << a)
                rows = rows.masked_fill((index.supernode_bits() & others) != others,
                                        index.node_count)
            terms.append(_with_zero_row(table).index_select(0, rows))
        return sum(terms[1:], terms[0])

    def forward(self, batch: GraphBatch, index: TupleIndex) -> torch.Tensor:
        config = self.config
        total = self.bias.expand(index.layout.rows, config.dim)
        if self.sees_nodes:
            total = total + self._node_terms(batch, index)
        if self.pairs:
            categories = self._pair_categories(batch, index.pair_count)
            for a, b in self.pairs:
                table = getattr(self, f"pair{a}{b}")(categories, batch.pair_reals,
                                                     index.pair_count, "pair")
                total = total + _with_zero_row(table).index_select(0, index.pair(a, b))
        if self.sees_graph:
            table = self.graph(batch.graph_categories, batch.graph_reals, len(batch.sizes), "graph")
            total = total + table.index_select(0, index.graph)
        if config.order > 1:
            equal = [index.equal(a, b) for a in range(config.order)
                     for b in range(a + 1, config.order)]
            total = total + torch.stack(equal, 1).to(self.equality.dtype) @ self.equality
        if config.supernode:
            total = total + self.supernode.index_select(0, index.supernode_bits())
        if config.init_layers > 1:
            total = self.mlp(activate(total, config.activation))
        return total


class _Readout(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        for name, outputs in (("graph", config.graph_outputs), ("node", config.node_outputs),
                              ("pair", config.pair_outputs)):
            if outputs > 0:
                parts = 2 if config.readout == "diagonal" and name != "pair" else 1
                widths = [parts * config.dim]
                widths += [config.ffn_ratio * config.dim] * (config.head_layers - 1)
                self.add_module(name, _Mlp(widths + [outputs], config.activation))

    def _pooled(self, states: torch.Tensor, kept: Sequence[int]) -> torch.Tensor:
        summed = [c for c in range(self.config.order) if c not in kept]
        if not summed:
            return states
        mean = self.config.readout == "mean" and states.numel() > 0
        return states.mean(summed) if mean else self._scaled(states.sum(summed), len(summed))

    def _scaled(self, sums: torch.Tensor, coordinates: int) -> torch.Tensor:
        """Sums over some coordinates, divided as `readout_nodes` says."""
        nodes = self.config.readout_nodes
        return sums if nodes is None else sums / nodes**coordinates

    def _diagonal(self, states: torch.Tensor, nodes: int) -> torch.Tensor:
        """The states of tuples (i, ..., i), [nodes, dim], without the SuperNode's."""
        step = sum(states.shape[0]**c for c in range(self.config.order))
        return states.reshape(-1, self.config.dim)[::step][:nodes]

    def _graph_state(self, states: torch.Tensor, nodes: int) -> torch.Tensor:
        if self.config.readout == "diagonal":
            of_nodes = self._scaled(self._diagonal(states, nodes).sum(0), 1)
            return torch.cat((of_nodes, self._pooled(states, [])))
        if self.config.readout != "supernode":
            return self._pooled(states, [])
        for _ in range(self.config.order):
            states = states[-1]
        return states

    def _node_states(self, states: torch.Tensor, nodes: int) -> torch.Tensor:
        order = self.config.order
        if self.config.readout == "supernode":
            states = states[:nodes]
            for _ in range(order - 1):
                states = states.select(1, -1)
            return states
        terms = [self._pooled(states, [c]) for c in range(order)]
        total = sum(terms[1:], terms[0])
        total = (total / order if self.config.readout == "mean" else total)[:nodes]
        if self.config.readout == "diagonal":
            return torch.cat((self._diagonal(states, nodes), total), 1)
        return total

    def _pair_states(self, states: torch.Tensor, nodes: int) -> torch.Tensor:
        order = self.config.order
        if self.config.readout == "supernode":
            for _ in range(order - 2):
                states = states.select(2, -1)
            total = states
        else:
            terms = [self._pooled(states, [a, b]) for a in range(order)
                     for b in range(a + 1, order)]
            total = sum(terms[1:], terms[0])
            if self.config.readout == "mean":
                total = total / len(terms)
        return total[:nodes, :nodes].reshape(-1, self.config.dim)

    def forward(self, states: torch.Tensor, layout: TupleLayout, batch: GraphBatch) -> Predictions:
        config = self.config
        if config.readout_edges_only and batch.adjacency is None:
            raise InputError("FloydNet: adjacency is absent, but only edges are to be read out")
        own = layout.split(states)
        if config.readout_edges_only:
            own = self._edges_only(own, batch)
        graph = node = pair = None
        if config.graph_outputs:
            graphs = [self._graph_state(x, n) for x, n in zip(own, batch.sizes)]
            graph = self.get_submodule("graph")(torch.stack(graphs))
        if config.node_outputs:
            nodes = [self._node_states(x, n) for x, n in zip(own, batch.sizes)]
            node = self.get_submodule("node")(torch.cat(nodes))
        if config.pair_outputs:
            pairs = [self._pair_states(x, n) for x, n in zip(own, batch.sizes)]
            pair = self.get_submodule("pair")(torch.cat(pairs))
        return Predictions(graph, node, pair)

    @staticmethod
    def _edges_only(own: List[torch.Tensor], batch: GraphBatch) -> List[torch.Tensor]:
        masked, first = [], 0
        assert batch.adjacency is not None
        for states, n in zip(own, batch.sizes):
            edges = batch.adjacency[first:first + n * n].view(n, n).to(states.dtype)
            extra = states.shape[0] - n
            masked.append(states * nn.functional.pad(edges, (0, extra, 0, extra)).unsqueeze(2))
            first += n * n
        return masked


class FloydNet(nn.Module):
    """The whole network; `options` are the fields of ModelConfig."""

    def __init__(self, config: Optional[ModelConfig] = None, **options: Any) -> None:
        super().__init__()
        self.config = ModelConfig.of(config, options, "FloydNet")
        self.init = _Init(self.config)
        for layer in range(self.config.depth):
            self.add_module(f"block{layer}", FloydBlock(self.config))
        self.readout = _Readout(self.config)

    def blocks(self) -> List[FloydBlock]:
        return [getattr(self, f"block{layer}") for layer in range(self.config.depth)]

    def layout(self, sizes: Sequence[int]) -> TupleLayout:
        """How states() are laid out for graphs of these sizes."""
        extra = int(self.config.supernode)
        return TupleLayout(self.config.order, [n + extra for n in _core.wholes(sizes, "sizes")])

    def _start(self, batch: GraphBatch) -> Tuple[torch.Tensor, TupleIndex]:
        if not isinstance(batch, GraphBatch):
            raise InputError(f"FloydNet: batch is {type(batch).__name__}, wanted a GraphBatch, "
                             "such as make_batch gives")
        index = TupleIndex(self.config.order, batch.sizes, self.config.supernode)
        return called(self.config, self.init, batch, index), index

    def states(self, batch: GraphBatch, pivot_bias: Optional[torch.Tensor] = None) -> torch.Tensor:
        """The tuple states after Init and all blocks, (rows, dim)."""
        states, index = self._start(batch)
        for block in self.blocks():
            states = block(states, index.layout.sizes, pivot_bias)
        return states

    def forward(self, batch: GraphBatch, pivot_bias: Optional[torch.Tensor] = None) -> Predictions:
        """pivot_bias, (order, heads or 1, rows), is added to the logits of every block."""
        return self.readout(self.states(batch, pivot_bias), self.layout(batch.sizes), batch)

    @torch.no_grad()
    def attention_weights(self, batch: GraphBatch, targets: Sequence[int], block: int = -1,
                          pivot_bias: Optional[torch.Tensor] = None) -> torch.Tensor:
        """Weights of chosen rows over pivots in a block: (heads, targets, pivots)."""
        blocks, block = self.blocks(), _core.whole(block, "block")
        if not -len(blocks) <= block < len(blocks):
            raise InputError(f"FloydNet: block {block} of {len(blocks)}")
        states, index = self._start(batch)
        for earlier in blocks[:block % len(blocks)]:
            states = earlier(states, index.layout.sizes, pivot_bias)
        return blocks[block].weights(states, index.layout.sizes, targets, pivot_bias)

    def save(self, path: str) -> None:
        """Writes weights and configuration to one safetensors file, as the C++ library does."""
        tensors = {name: tensor.detach() for name, tensor in self.state_dict().items()}
        types = {tensor.dtype for tensor in tensors.values() if tensor.is_floating_point()}
        if types not in ({torch.float32}, {torch.float64}):
            raise InputError(f"{path}: parameters are {', '.join(sorted(map(str, types)))}, wanted "
                             "all float32 or all float64")
        with _core.input_errors():
            torch.ops.floydnet._write_safetensors(str(path), tensors,
                                                  {"floydnet.config": self.config.to_json()})

    @classmethod
    def load(cls, path: str) -> "FloydNet":
        """Reads what save() or the C++ library's save_model wrote; the model is in eval mode."""
        with _core.input_errors():
            file = torch.classes.floydnet.StoredFile(str(path))
        metadata = file.metadata()
        if "floydnet.config" not in metadata:
            raise InputError(f"{path}: holds no model configuration (metadata "
                             '"floydnet.config"); weights of CLRS runs are read by floydnet.load')
        try:
            config = json.loads(metadata["floydnet.config"])
        except json.JSONDecodeError as error:
            raise InputError(f'{path}: metadata "floydnet.config" is not JSON') from error
        if not isinstance(config, dict):
            raise InputError(f'{path}: metadata "floydnet.config" is not a JSON object')
        tensors = file.tensors()
        model = cls(ModelConfig.from_dict(config))
        if any(tensor.dtype == torch.float64 for tensor in tensors.values()):
            model.double()
        try:
            model.load_state_dict(tensors)
        except RuntimeError as error:
            raise InputError(f"{path}: {' '.join(str(error).split())}") from error
        return model.eval()


_ = ops  # loads the library, whose classes load() and save() use
