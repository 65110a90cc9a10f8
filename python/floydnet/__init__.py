"""Learning on relations: Pivotal Attention, FloydNet, and the data and solvers around them.

Without PyTorch there are `clrs` (data of the CLRS benchmark), `wl` (k-FWL), `counting`, `tsp` and
`Graph`. With PyTorch there are the operators (`attention`, `pivotal_attention`, ...), modules
(`floydnet.nn`), stored models (`load`) and `pyg`; they are imported when they are first used.

The operators use PyTorch's threads. Debian's PyTorch starts with one: torch.set_num_threads(n).
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, List

from . import _core, clrs, counting, tsp, wl
from ._core import InputError
from .graphs import Graph, as_graph

if TYPE_CHECKING:
    from . import functional, models, nn, ops, pyg
    from .functional import pivotal_attention, pivotal_attention3
    from .models import load
    from .nn import PivotalAttentionBlock
    from .ops import attention, attention_dense, attention_weights

__version__ = _core.version()

# What needs PyTorch, by the module that has it; None: it is a module itself.
_LAZY = {
    "attention": "ops", "attention_dense": "ops", "attention_weights": "ops",
    "pivotal_attention": "functional", "pivotal_attention3": "functional",
    "PivotalAttentionBlock": "nn", "load": "models",
    "functional": None, "models": None, "nn": None, "ops": None, "pyg": None,
}

__all__ = ["Graph", "InputError", "as_graph", "clrs", "counting", "tsp", "wl"]
if importlib.util.find_spec("torch") is not None:
    __all__ += ["attention", "attention_dense", "attention_weights", "functional", "load", "models",
                "nn", "ops", "pivotal_attention", "pivotal_attention3", "PivotalAttentionBlock",
                "pyg"]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f".{_LAZY[name] or name}", __name__)
    value = module if _LAZY[name] is None else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted(set(globals()) | set(_LAZY))
