"""Architectures of the classic kinds, written out small."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Dict, List, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from architectures import Architecture, Architectures, Example, called_with, images, tokens

_FOUND: Architectures = {}


def architecture(make: Architecture) -> Architecture:
    """Enter a model into the list under the name of the function that makes it."""
    _FOUND[f"classic/{make.__name__}"] = make
    return make


def architectures() -> Architectures:
    """By ``classic/<name>``, those of the modules beside this one as well."""
    for kind in ("convolutions", "sequences"):
        import_module(f"architectures.{kind}")
    return dict(_FOUND)


@architecture
def perceptron() -> Example:
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(), nn.Linear(16, 2), nn.LogSoftmax(-1))
    return Example(model, called_with(torch.randn(4, 8)), called_with(torch.randn(7, 8)))


@architecture
def lenet() -> Example:
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.Tanh(), nn.Linear(120, 84), nn.Tanh(), nn.Linear(84, 10),
    )  # fmt: skip
    return Example(model, called_with(images(2, 28, 1)), called_with(images(3, 28, 1)))


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


@architecture
def residual_network() -> Example:
    model = nn.Sequential(nn.Conv2d(3, 8, 3), *(_Residual(8) for _ in range(4)), nn.Flatten(), nn.LazyLinear(5))
    model(images(1, 12))
    return Example(model, called_with(images(2, 12)), called_with(images(3, 12)))


class _UNet(nn.Module):
    def __init__(self, widths: Tuple[int, ...] = (4, 8, 16)) -> None:
        super().__init__()
        pairs = list(zip((3, *widths), widths))
        self.down = nn.ModuleList(nn.Conv2d(before, after, 3, padding=1) for before, after in pairs)
        self.up = nn.ModuleList(nn.Conv2d(after + after, before, 3, padding=1) for before, after in pairs[1:])

    def forward(self, x: Tensor) -> Tensor:
        kept: List[Tensor] = []
        for layer in self.down:
            x = F.relu(layer(x))
            kept.append(x)
            x = F.max_pool2d(x, 2)
        for layer in reversed(self.up):
            x = F.interpolate(x, scale_factor=2)
            x = layer(torch.cat([x, kept.pop()], 1))
        return x


@architecture
def u_net() -> Example:
    return Example(_UNet(), called_with(images(1, 16)), called_with(images(2, 32)))


class _Recurrent(nn.Module):
    def __init__(self, kind: type) -> None:
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.recurrent = kind(8, 16, num_layers=2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 3)

    def forward(self, words: Tensor) -> Tensor:
        states, _last = self.recurrent(self.embedding(words))
        found: Tensor = self.head(states[:, -1])
        return found


@architecture
def elman_network() -> Example:
    return Example(_Recurrent(nn.RNN), called_with(tokens(2, 5, 20)), called_with(tokens(3, 7, 20)))


@architecture
def lstm_classifier() -> Example:
    return Example(_Recurrent(nn.LSTM), called_with(tokens(2, 5, 20)), called_with(tokens(3, 7, 20)))


@architecture
def gru_classifier() -> Example:
    return Example(_Recurrent(nn.GRU), called_with(tokens(2, 5, 20)), called_with(tokens(3, 7, 20)))


class _Cells(nn.Module):
    """A recurrence written as a loop, its state a tuple."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(4, 6)

    def forward(self, steps: Tensor) -> Tuple[Tensor, Dict[str, Tensor]]:
        state = (steps.new_zeros(steps.shape[1], 6), steps.new_zeros(steps.shape[1], 6))
        outputs = []
        for step in steps:
            state = self.cell(step, state)
            outputs.append(state[0])
        return torch.stack(outputs), {"hidden": state[0], "cell": state[1]}


@architecture
def loop_over_cells() -> Example:
    return Example(_Cells(), called_with(torch.randn(3, 2, 4)), called_with(torch.randn(3, 5, 4)))


class _Attending(nn.Module):
    """Bahdanau's translation: a decoder attends to all states of the encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.encoder = nn.GRU(8, 8, batch_first=True)
        self.decoder = nn.GRUCell(16, 8)
        self.score = nn.Linear(16, 1)
        self.head = nn.Linear(8, 20)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        states, _ = self.encoder(self.words(source))
        hidden, found = states[:, -1], []
        for position in range(target.shape[1]):
            queries = hidden[:, None].expand_as(states)
            weights = self.score(torch.cat([states, queries], -1)).softmax(1)
            context = (weights * states).sum(1)
            hidden = self.decoder(torch.cat([self.words(target[:, position]), context], -1), hidden)
            found.append(self.head(hidden))
        return torch.stack(found, 1)


@architecture
def attention_translator() -> Example:
    first = called_with(tokens(2, 5, 20), tokens(2, 3, 20))
    return Example(_Attending(), first, called_with(tokens(3, 6, 20), tokens(3, 3, 20)))


@architecture
def encoder_decoder_transformer() -> Example:
    model = nn.Transformer(16, 4, 2, 2, 32, batch_first=True)
    first = called_with(torch.randn(2, 5, 16), torch.randn(2, 4, 16))
    return Example(model, first, called_with(torch.randn(3, 6, 16), torch.randn(3, 5, 16)))


@architecture
def transformer_encoder() -> Example:
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 12)
    return Example(model, called_with(torch.randn(2, 5, 16)), called_with(torch.randn(3, 6, 16)))


class _Variational(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encode, self.decode = nn.Linear(12, 8), nn.Linear(4, 12)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        mean, log_variance = self.encode(x).chunk(2, -1)
        sampled = mean + torch.randn_like(mean) * (log_variance / 2).exp()
        divergence = (mean.square() + log_variance.exp() - 1 - log_variance).sum() / 2
        return self.decode(sampled).sigmoid(), divergence


@architecture
def variational_autoencoder() -> Example:
    return Example(_Variational(), called_with(torch.rand(3, 12)), called_with(torch.rand(5, 12)))


@architecture
def adversarial_generator() -> Example:
    model = nn.Sequential(
        nn.ConvTranspose2d(8, 8, 4), nn.BatchNorm2d(8), nn.ReLU(), nn.ConvTranspose2d(8, 3, 4, 2, 1), nn.Tanh()
    )
    return Example(model, called_with(torch.randn(2, 8, 1, 1)), called_with(torch.randn(4, 8, 1, 1)))


class _Graph(nn.Module):
    """Kipf's graph convolutions on a dense adjacency matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 3)])

    def forward(self, features: Tensor, edges: Tensor) -> Tensor:
        degrees = edges.sum(-1).clamp(min=1).rsqrt()
        edges = degrees[:, None] * edges * degrees[None]
        for number, layer in enumerate(self.layers):
            features = edges @ layer(features)
            if number < len(self.layers) - 1:
                features = features.relu()
        return features


@architecture
def graph_convolutions() -> Example:
    first = called_with(torch.randn(6, 4), (torch.rand(6, 6) > 0.5).float())
    return Example(_Graph(), first, called_with(torch.randn(9, 4), (torch.rand(9, 9) > 0.5).float()))


class _Recommender(nn.Module):
    """DLRM: dense features, sparse ones by embedding bags, and their products."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
        self.sparse = nn.ModuleDict({name: nn.EmbeddingBag(30, 8) for name in ("user", "item", "place")})
        self.top = nn.Linear(6, 1)

    def forward(self, dense: Tensor, sparse: Dict[str, Tensor]) -> Tensor:
        parts = [self.dense(dense), *(self.sparse[name](words) for name, words in sparse.items())]
        pairs = [(parts[i] * parts[j]).sum(-1) for i in range(len(parts)) for j in range(i)]
        return self.top(torch.stack(pairs, -1)).sigmoid()


@architecture
def recommender() -> Example:
    def call(batch: int) -> Dict[str, Any]:
        return called_with(torch.randn(batch, 5), {name: tokens(batch, 3, 30) for name in ("user", "item", "place")})

    return Example(_Recommender(), call(2), call(5))


class _Radiance(nn.Module):
    """NeRF: positions become waves, and an early input joins again later."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("waves", 2.0 ** torch.arange(4))
        self.first, self.second = nn.Linear(27, 16), nn.Linear(43, 4)

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        angles = (x[..., None] * self.waves).flatten(-2)
        encoded = torch.cat([x, angles.sin(), angles.cos()], -1)
        hidden = self.first(encoded).relu()
        color, density = self.second(torch.cat([hidden, encoded], -1)).split([3, 1], -1)
        return {"color": color.sigmoid(), "density": F.softplus(density)}


@architecture
def radiance_field() -> Example:
    return Example(_Radiance(), called_with(torch.randn(5, 3)), called_with(torch.randn(2, 7, 3)))


class _Expert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wide, self.narrow = nn.Linear(8, 16), nn.Linear(16, 8)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.narrow(F.gelu(self.wide(x)))
        return found


class _Experts(nn.Module):
    """Each row goes to the two experts that the gate likes best; which rows is data, so Dynamo breaks the graph."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.experts = nn.ModuleList(_Expert() for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.gate(x).softmax(-1).topk(2)
        found = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, place = (chosen == number).nonzero(as_tuple=True)
            if rows.numel() > 0:
                found.index_add_(0, rows, expert(x[rows]) * weights[rows, place, None])
        return found


@architecture
def mixture_of_experts() -> Example:
    return Example(_Experts(), called_with(torch.randn(6, 8)), called_with(torch.randn(9, 8)))


class _Wave(nn.Module):
    """WaveNet: dilated causal convolutions with gates and skips."""

    def __init__(self) -> None:
        super().__init__()
        self.gated = nn.ModuleList(nn.Conv1d(4, 8, 2, dilation=2**depth) for depth in range(4))
        self.skips = nn.ModuleList(nn.Conv1d(4, 4, 1) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        total: Any = 0
        for gated, skip in zip(self.gated, self.skips):
            filters, gates = gated(F.pad(x, (gated.dilation[0], 0))).chunk(2, 1)
            hidden = filters.tanh() * gates.sigmoid()
            total = total + skip(hidden)
            x = x + hidden
        return total


@architecture
def wave_network() -> Example:
    return Example(_Wave(), called_with(torch.randn(1, 4, 20)), called_with(torch.randn(2, 4, 30)))


class _Points(nn.Module):
    """PointNet: a set of points, reduced by a maximum."""

    def __init__(self) -> None:
        super().__init__()
        self.turn, self.local, self.head = nn.Linear(3, 9), nn.Linear(3, 16), nn.Linear(16, 4)

    def forward(self, points: Tensor) -> Tensor:
        turned = points @ self.turn(points.amax(1)).view(-1, 3, 3)
        found: Tensor = self.head(self.local(turned).relu().amax(1))
        return found


@architecture
def point_network() -> Example:
    return Example(_Points(), called_with(torch.randn(2, 10, 3)), called_with(torch.randn(3, 12, 3)))


class _Equation(nn.Module):
    """A neural differential equation, solved by Runge and Kutta's method."""

    def __init__(self) -> None:
        super().__init__()
        self.field = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))

    def forward(self, x: Tensor, steps: int = 3) -> Tensor:
        for _ in range(steps):
            first = self.field(x)
            second = self.field(x + first / 2)
            third = self.field(x + second / 2)
            x = x + (first + 2 * second + 2 * third + self.field(x + third)) / 6
        return x


@architecture
def differential_equation() -> Example:
    return Example(_Equation(), called_with(torch.randn(2, 4)), called_with(torch.randn(3, 4), steps=2))


class _Halting(nn.Module):
    """Adaptive computation: how often the cell runs depends on what it finds.

    Dynamo leaves a frame alone that breaks inside of a loop, so the loop is a chain of calls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.halt = nn.Linear(6, 6), nn.Linear(6, 1)

    def forward(self, x: Tensor, steps: int = 0) -> Tuple[Tensor, int]:
        x = self.cell(x).tanh()
        if steps == 3 or self.halt(x).mean() > 0:
            return x, steps
        return self.forward(x, steps + 1)


@architecture
def adaptive_computation() -> Example:
    return Example(_Halting(), called_with(torch.randn(2, 6)), called_with(torch.randn(3, 6)))


class _Actor(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body, self.policy, self.value = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 1)

    def forward(self, state: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        hidden = self.body(state).tanh()
        choices = torch.distributions.Categorical(logits=self.policy(hidden))
        action = choices.sample()
        return action, choices.log_prob(action), self.value(hidden)


@architecture
def actor_and_critic() -> Example:
    return Example(_Actor(), called_with(torch.randn(3, 4)), called_with(torch.randn(5, 4)))


class _Capsules(nn.Module):
    """Routing by agreement."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.randn(5, 6, 4, 3))

    def forward(self, inputs: Tensor) -> Tensor:
        votes = torch.einsum("bid,ijde->bije", inputs, self.weights)
        logits = votes.new_zeros(votes.shape[:3])
        for _ in range(3):
            found = (logits.softmax(2)[..., None] * votes).sum(1)
            length = found.norm(dim=-1, keepdim=True)
            found = found * length / (1 + length.square())
            logits = logits + (votes * found[:, None]).sum(-1)
        return found


@architecture
def capsules() -> Example:
    return Example(_Capsules(), called_with(torch.randn(2, 5, 4)), called_with(torch.randn(3, 5, 4)))


class _Siamese(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())

    def forward(self, pair: Tuple[Tensor, Tensor], same: bool) -> Tensor:
        one, other = (self.tower(image) for image in pair)
        distance = F.pairwise_distance(one, other)
        return distance if same else F.relu(1 - distance)


@architecture
def siamese_towers() -> Example:
    first = called_with((images(2, 8, 1), images(2, 8, 1)), same=True)
    return Example(_Siamese(), first, called_with((images(3, 9, 1), images(3, 9, 1)), same=False))


class _Memory(nn.Module):
    """A key-value memory that a call changes: buffers are stored and a list grows."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("keys", torch.zeros(4, 6))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))
        self.norms: List[float] = []

    def forward(self, query: Tensor) -> Tensor:
        self.keys = torch.cat([self.keys[1:], query.mean(0, keepdim=True)])
        self.count += 1
        self.norms.append(float(query.shape[0]))
        return (query @ self.keys.T).softmax(-1) @ self.keys


@architecture
def changing_memory() -> Example:
    return Example(_Memory(), called_with(torch.randn(2, 6)), called_with(torch.randn(3, 6)))
