"""Imported first by every module that needs PyTorch: says how to get it where it is absent."""

from __future__ import annotations

try:
    import torch
except ImportError as error:
    raise ImportError("this part of floydnet needs PyTorch: pip install torch, and then install "
                      "floydnet again, which is built for the PyTorch that is there") from error

__all__ = ["torch"]
