"""FloydNet as PyTorch modules over the operator.

Names of parameters are those of the C++ library, so that its safetensors files fit: FloydNet.load
and FloydNet.save. `PivotalAttentionBlock` is the published library's block, with its names.
"""

from .. import _torch  # noqa: F401
from .batch import GraphBatch, make_batch
from .blocks import FloydBlock, Norm, PivotalAttention
from .config import ModelConfig
from .layout import TupleLayout
from .network import FloydNet, Predictions
from .published import PivotalAttentionBlock

__all__ = ["FloydBlock", "FloydNet", "GraphBatch", "ModelConfig", "Norm", "PivotalAttention",
           "PivotalAttentionBlock", "Predictions", "TupleLayout", "make_batch"]
