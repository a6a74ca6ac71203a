"""Networks for images of the classic kinds, written out small; each names the paper's idea that it is built around."""

from __future__ import annotations

from typing import Dict, List, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from architectures import Example, called_with, images
from architectures.classic import architecture


def _on_images(model: nn.Module, size: int = 16) -> Example:
    return Example(model, called_with(images(2, size)), called_with(images(3, size)))


def _classifier(*layers: nn.Module, width: int) -> Example:
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 5))
    return _on_images(nn.Sequential(*layers, *head))


def _convolution(before: int, after: int, size: int = 3, groups: int = 1, stride: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(before, after, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(after), nn.ReLU())


@architecture
def stacked_convolutions() -> Example:
    """VGG: nothing but small convolutions and pooling."""
    blocks: List[nn.Module] = []
    for before, after in ((3, 8), (8, 16)):
        blocks += [_convolution(before, after), _convolution(after, after), nn.MaxPool2d(2)]
    return _classifier(*blocks, width=16)


class _Branches(nn.Module):
    """Inception: convolutions of several sizes side by side."""

    def __init__(self, before: int, each: int) -> None:
        super().__init__()
        self.branches = nn.ModuleDict({f"size {size}": _convolution(before, each, size) for size in (1, 3, 5)})
        self.pooled = nn.Sequential(nn.MaxPool2d(3, 1, 1), _convolution(before, each, 1))

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([*(branch(x) for branch in self.branches.values()), self.pooled(x)], 1)


@architecture
def parallel_branches() -> Example:
    return _classifier(_Branches(3, 4), _Branches(16, 4), width=16)


class _Dense(nn.Module):
    """DenseNet: every layer sees the outputs of all before it."""

    def __init__(self, width: int, growth: int, count: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(_convolution(width + growth * number, growth) for number in range(count))

    def forward(self, x: Tensor) -> Tensor:
        seen = [x]
        for layer in self.layers:
            seen.append(layer(torch.cat(seen, 1)))
        return torch.cat(seen, 1)


@architecture
def dense_connections() -> Example:
    return _classifier(_convolution(3, 8), _Dense(8, 4, 3), _convolution(20, 8, 1), _Dense(8, 4, 3), width=20)


class _Inverted(nn.Module):
    """MobileNet: wide inside, narrow between blocks, one filter for each channel."""

    def __init__(self, width: int, stride: int = 1) -> None:
        super().__init__()
        inner = width * 4
        self.residual = stride == 1
        self.layers = nn.Sequential(
            _convolution(width, inner, 1), _convolution(inner, inner, 3, groups=inner, stride=stride),
            nn.Conv2d(inner, width, 1), nn.BatchNorm2d(width),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.layers(x)
        return x + found if self.residual else found


@architecture
def inverted_residuals() -> Example:
    return _classifier(_convolution(3, 8), _Inverted(8), _Inverted(8, 2), _Inverted(8), width=8)


class _Squeezed(nn.Module):
    """Squeeze and excitation: channels are weighed by what all of the image says."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = _convolution(width, width)
        self.weigh = nn.Sequential(nn.Linear(width, width // 4), nn.ReLU(), nn.Linear(width // 4, width), nn.Sigmoid())

    def forward(self, x: Tensor) -> Tensor:
        x = self.layers(x)
        return x * self.weigh(x.mean((2, 3)))[..., None, None]


@architecture
def squeeze_and_excitation() -> Example:
    return _classifier(_convolution(3, 8), _Squeezed(8), _Squeezed(8), width=8)


class _Fire(nn.Module):
    """SqueezeNet: few channels in, two kinds of convolution out."""

    def __init__(self, before: int, narrow: int, wide: int) -> None:
        super().__init__()
        self.squeeze = _convolution(before, narrow, 1)
        self.one, self.three = _convolution(narrow, wide, 1), _convolution(narrow, wide)

    def forward(self, x: Tensor) -> Tensor:
        x = self.squeeze(x)
        return torch.cat((self.one(x), self.three(x)), 1)


@architecture
def fire_modules() -> Example:
    return _classifier(_Fire(3, 4, 8), nn.MaxPool2d(2), _Fire(16, 4, 8), width=16)


class _Shuffled(nn.Module):
    """ShuffleNet: channels change groups between grouped convolutions."""

    def __init__(self, width: int, groups: int) -> None:
        super().__init__()
        self.groups = groups
        self.first, self.second = _convolution(width, width, 1, groups), _convolution(width, width, 3, groups)

    def forward(self, x: Tensor) -> Tensor:
        batch, width, height, breadth = x.shape
        mixed = self.first(x).view(batch, self.groups, width // self.groups, height, breadth).transpose(1, 2)
        found: Tensor = self.second(mixed.reshape(batch, width, height, breadth))
        return found + x


@architecture
def shuffled_groups() -> Example:
    return _classifier(_convolution(3, 8), _Shuffled(8, 4), _Shuffled(8, 2), width=8)


class _Mixer(nn.Module):
    """MLP-Mixer: layers across patches, then across channels."""

    def __init__(self, patches: int, width: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.across = nn.Sequential(nn.Linear(patches, 8), nn.GELU(), nn.Linear(8, patches))
        self.along = nn.Sequential(nn.Linear(width, 16), nn.GELU(), nn.Linear(16, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.across(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        found: Tensor = x + self.along(self.norms[1](x))
        return found


class _Patches(nn.Module):
    def __init__(self, width: int, layers: nn.Module, size: int = 4) -> None:
        super().__init__()
        self.cut = nn.Conv2d(3, width, size, size)
        self.layers = layers
        self.head = nn.Linear(width, 5)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.head(self.layers(self.cut(x).flatten(2).transpose(1, 2)).mean(1))
        return found


@architecture
def mixer() -> Example:
    return _on_images(_Patches(12, nn.Sequential(_Mixer(16, 12), _Mixer(16, 12))))


@architecture
def vision_transformer() -> Example:
    layer = nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", batch_first=True, norm_first=True)
    return _on_images(_Patches(16, nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)))


class _Windows(nn.Module):
    """Swin: attention inside windows that move from layer to layer."""

    def __init__(self, width: int, window: int, shift: int) -> None:
        super().__init__()
        self.window, self.shift = window, shift
        self.norm, self.attend = nn.LayerNorm(width), nn.MultiheadAttention(width, 2, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        batch, height, breadth, width = x.shape
        size = self.window
        moved = torch.roll(self.norm(x), (-self.shift, -self.shift), (1, 2))
        parts = moved.view(batch, height // size, size, breadth // size, size, width).transpose(2, 3)
        parts = parts.reshape(-1, size * size, width)
        parts, _weights = self.attend(parts, parts, parts, need_weights=False)
        parts = parts.view(batch, height // size, breadth // size, size, size, width).transpose(2, 3)
        return x + torch.roll(parts.reshape(x.shape), (self.shift, self.shift), (1, 2))


@architecture
def shifted_windows() -> Example:
    model = nn.Sequential(_Windows(8, 4, 0), _Windows(8, 4, 2))
    return Example(model, called_with(torch.randn(2, 8, 8, 8)), called_with(torch.randn(3, 8, 8, 8)))


class _Pyramid(nn.Module):
    """Feature pyramid: coarse maps are added to fine ones, each with a head of its own."""

    def __init__(self, widths: Tuple[int, ...] = (4, 8, 16)) -> None:
        super().__init__()
        self.down = nn.ModuleList(_convolution(a, b, stride=2) for a, b in zip((3, *widths), widths))
        self.side = nn.ModuleList(nn.Conv2d(width, 8, 1) for width in widths)
        self.heads = nn.ModuleDict({"classes": nn.Conv2d(8, 3, 1), "boxes": nn.Conv2d(8, 4, 1)})

    def forward(self, x: Tensor) -> List[Dict[str, Tensor]]:
        maps = []
        for down, side in zip(self.down, self.side):
            x = down(x)
            maps.append(side(x))
        for number in range(len(maps) - 2, -1, -1):
            maps[number] = maps[number] + F.interpolate(maps[number + 1], scale_factor=2)
        return [{name: head(each) for name, head in self.heads.items()} for each in maps]


@architecture
def feature_pyramid() -> Example:
    return _on_images(_Pyramid())


class _Located(nn.Module):
    """Spatial transformer: where to look is learned, too."""

    def __init__(self) -> None:
        super().__init__()
        self.where = nn.Sequential(
            nn.Conv2d(3, 4, 5), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(16, 6)
        )
        self.read = _convolution(3, 4)
        self.register_buffer("identity", torch.tensor([1.0, 0, 0, 0, 1, 0]))

    def forward(self, x: Tensor) -> Tensor:
        angles = (self.where(x) + self.identity).view(-1, 2, 3)
        grid = F.affine_grid(angles, list(x.shape), align_corners=False)
        found: Tensor = self.read(F.grid_sample(x, grid, align_corners=False))
        return found


@architecture
def spatial_transformer() -> Example:
    return _on_images(_Located())


class _Masked(nn.Conv2d):
    """PixelCNN: a pixel depends on those before it only."""

    def __init__(self, before: int, after: int, itself: bool) -> None:
        super().__init__(before, after, 5, padding=2)
        mask = torch.ones(5, 5)
        mask[2, 2 + itself :] = 0
        mask[3:] = 0
        self.register_buffer("mask", mask)

    def forward(self, x: Tensor) -> Tensor:
        return self._conv_forward(x, self.weight * self.mask, self.bias)


@architecture
def masked_convolutions() -> Example:
    return _on_images(
        nn.Sequential(_Masked(3, 8, False), nn.ReLU(), _Masked(8, 8, True), nn.ReLU(), nn.Conv2d(8, 3, 1)), 8
    )


class _Unshared(nn.Module):
    """Deep supervision: heads between the layers, used in training only."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([_convolution(3, 8), _convolution(8, 8), _convolution(8, 8)])
        self.heads = nn.ModuleList(nn.Linear(8, 5) for _ in range(3))

    def forward(self, x: Tensor) -> Tuple[Tensor, ...]:
        found = []
        for layer, head in zip(self.layers, self.heads):
            x = layer(x)
            found.append(head(x.mean((2, 3))))
        return tuple(found) if self.training else (found[-1],)


@architecture
def deep_supervision() -> Example:
    return _on_images(_Unshared())
