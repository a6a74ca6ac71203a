"""Real architectures with random weights and small inputs; nothing is downloaded."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple

import torch


class Example(NamedTuple):
    """A module, what to call it with, and a second call with other shapes if it takes them."""

    module: torch.nn.Module
    first: Dict[str, Any]
    second: Dict[str, Any]


Architecture = Callable[[], Example]
Architectures = Dict[str, Architecture]


def called_with(*arguments: Any, **keywords: Any) -> Dict[str, Any]:
    """Arguments of one call."""
    return {"args": arguments, "kwargs": keywords}


def images(batch: int, size: int, channels: int = 3) -> torch.Tensor:
    """Random images."""
    return torch.randn(batch, channels, size, size)


def tokens(batch: int, length: int, vocabulary: int) -> torch.Tensor:
    """Random token numbers; the smallest few have meanings in some models."""
    return torch.randint(5, vocabulary, (batch, length))


def declare_torchvision_operators() -> None:
    """torchvision's build for CUDA fails to load beside a torch without; its Python part only needs these schemas."""
    library = torch.library.Library("torchvision", "DEF")
    library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _LIBRARIES.append(library)


# Operators exist as long as their library does.
_LIBRARIES: List[torch.library.Library] = []
