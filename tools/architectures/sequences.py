"""Networks for sequences, sets and samples of the classic kinds, written out small."""

from __future__ import annotations

import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from architectures import Example, called_with, tokens
from architectures.classic import architecture


def _on_rows(model: nn.Module, width: int) -> Example:
    return Example(model, called_with(torch.randn(4, width)), called_with(torch.randn(6, width)))


def _on_steps(model: nn.Module, width: int) -> Example:
    return Example(model, called_with(torch.randn(2, 6, width)), called_with(torch.randn(3, 8, width)))


def _on_words(model: nn.Module) -> Example:
    return Example(model, called_with(tokens(2, 6, 20)), called_with(tokens(3, 8, 20)))


class _Block(nn.Module):
    """Attention to what came before, then a layer for each position."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.each = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor, kept: Optional[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        batch, length, width = x.shape
        parts = self.mix(self.norms[0](x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if kept is not None:
            key, value = torch.cat((kept[0], key), 2), torch.cat((kept[1], value), 2)
        found = F.scaled_dot_product_attention(query, key, value, is_causal=kept is None)
        x = x + self.out(found.transpose(1, 2).reshape(batch, length, width))
        return x + self.each(self.norms[1](x)), (key, value)


class _Answer(NamedTuple):
    scores: Tensor
    kept: List[Tuple[Tensor, Tensor]]


class _Decoder(nn.Module):
    """GPT with a cache of keys and values; words in and words out share a table."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(20, width), nn.Embedding(32, width)
        self.blocks = nn.ModuleList(_Block(width, 4) for _ in range(2))
        self.norm = nn.LayerNorm(width)

    def forward(self, words: Tensor, kept: Optional[List[Tuple[Tensor, Tensor]]] = None) -> _Answer:
        begin = 0 if kept is None else kept[0][0].shape[2]
        x = self.words(words) + self.places(torch.arange(begin, begin + words.shape[1]))
        cache = []
        for number, block in enumerate(self.blocks):
            x, held = block(x, None if kept is None else kept[number])
            cache.append(held)
        return _Answer(self.norm(x) @ self.words.weight.T, cache)


@architecture
def decoder_with_cache() -> Example:
    return _on_words(_Decoder())


class _Generating(nn.Module):
    """Greedy decoding: each word is the next step's input."""

    def __init__(self) -> None:
        super().__init__()
        self.model = _Decoder()

    def forward(self, words: Tensor, count: int = 3) -> Tensor:
        answer = self.model(words)
        for _ in range(count):
            last = answer.scores[:, -1:].argmax(-1)
            words = torch.cat((words, last), 1)
            answer = self.model(last, answer.kept)
        return words


@architecture
def greedy_decoding() -> Example:
    return _on_words(_Generating())


class _Rotary(nn.Module):
    """LLaMA: rotated queries and keys, shared heads, gated layers, norms without a mean."""

    def __init__(self, width: int = 16, heads: int = 4) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm = nn.RMSNorm(width)
        self.query, self.shared = nn.Linear(width, width, bias=False), nn.Linear(width, 2 * self.size, bias=False)
        self.gate, self.up, self.down = (nn.Linear(a, b) for a, b in ((width, 32), (width, 32), (32, width)))
        self.register_buffer("speeds", 100.0 ** -torch.linspace(0, 1, self.size // 2), persistent=False)

    def rotated(self, x: Tensor) -> Tensor:
        angles = torch.outer(torch.arange(x.shape[-2]), self.speeds)
        one, other = x.chunk(2, -1)
        return torch.cat((one * angles.cos() - other * angles.sin(), other * angles.cos() + one * angles.sin()), -1)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        normed = self.norm(x)
        query = self.query(normed).view(batch, length, self.heads, self.size).transpose(1, 2)
        key, value = (each[:, None] for each in self.shared(normed).chunk(2, -1))
        scores = self.rotated(query) @ self.rotated(key).mT / math.sqrt(self.size)
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
        found = scores.masked_fill(hidden, -math.inf).softmax(-1) @ value
        x = x + found.transpose(1, 2).reshape(batch, length, width)
        return x + self.down(F.silu(self.gate(x)) * self.up(x))


@architecture
def rotary_attention() -> Example:
    return _on_steps(nn.Sequential(_Rotary(), _Rotary()), 16)


class _Scan(nn.Module):
    """A state space whose steps depend on the input, as in Mamba, written as a loop."""

    def __init__(self, width: int = 8, states: int = 4) -> None:
        super().__init__()
        self.rates = nn.Parameter(torch.rand(width, states).log())
        self.parts, self.step = nn.Linear(width, 2 * states), nn.Linear(width, width)
        self.states = states

    def forward(self, x: Tensor) -> Tensor:
        into, out = self.parts(x).split(self.states, -1)
        steps = F.softplus(self.step(x))
        state = x.new_zeros(x.shape[0], x.shape[2], self.states)
        found = []
        for now in range(x.shape[1]):
            step = steps[:, now, :, None]
            state = state * (-step * self.rates.exp()).exp() + step * x[:, now, :, None] * into[:, now, None]
            found.append((state * out[:, now, None]).sum(-1))
        return torch.stack(found, 1)


@architecture
def selective_scan() -> Example:
    return _on_steps(_Scan(), 8)


class _Linear(nn.Module):
    """Attention without a softmax: sums that go on."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.parts = nn.Linear(width, 3 * width)

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = self.parts(x).chunk(3, -1)
        query, key = F.elu(query) + 1, F.elu(key) + 1
        sums = torch.einsum("blk,blv->blkv", key, value).cumsum(1)
        return torch.einsum("blk,blkv->blv", query, sums) / (query * key.cumsum(1)).sum(-1, keepdim=True)


@architecture
def linear_attention() -> Example:
    return _on_steps(nn.Sequential(_Linear(), _Linear()), 8)


class _Latents(nn.Module):
    """Perceiver: a few learned vectors attend to an input of any length."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.latents = nn.Parameter(torch.randn(3, width))
        self.read, self.think = (nn.MultiheadAttention(width, 2, batch_first=True) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        latents = self.latents.expand(x.shape[0], -1, -1)
        for _ in range(2):
            latents = latents + self.read(latents, x, x)[0]
            latents = latents + self.think(latents, latents, latents)[0]
        return latents.mean(1)


@architecture
def latent_attention() -> Example:
    return _on_steps(_Latents(), 8)


class _Temporal(nn.Module):
    """Convolutions in time that see no future, further apart in each layer."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv1d(width, width, 3, dilation=2**number) for number in range(3))

    def forward(self, x: Tensor) -> Tensor:
        x = x.transpose(1, 2)
        for layer in self.layers:
            x = x + F.relu(layer(F.pad(x, (2 * layer.dilation[0], 0))))
        return x.transpose(1, 2)


@architecture
def temporal_convolutions() -> Example:
    return _on_steps(_Temporal(), 8)


class _Forecast(nn.Module):
    """N-BEATS: each block explains a part of the past and takes it away."""

    def __init__(self, past: int = 8, future: int = 3) -> None:
        super().__init__()
        self.past = past
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(past, 16), nn.ReLU(), nn.Linear(16, past + future)) for _ in range(3)
        )

    def forward(self, series: Tensor) -> Tensor:
        forecast = series.new_zeros(())
        for block in self.blocks:
            explained, ahead = block(series).tensor_split([self.past], -1)
            series, forecast = series - explained, forecast + ahead
        return forecast


@architecture
def residual_forecast() -> Example:
    return _on_rows(_Forecast(), 8)


class _Couplings(nn.Module):
    """Real NVP: half of the values scale and move the other half; the density is known."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.half = width // 2
        self.networks = nn.ModuleList(nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 4)) for _ in range(3))

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        density = x.new_zeros(x.shape[0])
        for network in self.networks:
            kept, changed = x[:, : self.half], x[:, self.half :]
            scale, shift = network(kept).chunk(2, -1)
            x = torch.cat((changed * scale.tanh().exp() + shift, kept), 1)
            density = density + scale.tanh().sum(1)
        return {"x": x, "log_density": density - x.square().sum(1) / 2}


@architecture
def coupling_flow() -> Example:
    return _on_rows(_Couplings(), 4)


class _Codes(nn.Module):
    """VQ-VAE: the nearest vector of a code book, with the gradient passed through."""

    def __init__(self) -> None:
        super().__init__()
        self.encode, self.decode, self.book = nn.Linear(8, 4), nn.Linear(4, 8), nn.Embedding(6, 4)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        found = self.encode(x)
        numbers = torch.cdist(found, self.book.weight).argmin(-1)
        nearest = self.book(numbers)
        distance = F.mse_loss(found.detach(), nearest) + F.mse_loss(found, nearest.detach()) / 4
        return self.decode(found + (nearest - found).detach()), distance, numbers


@architecture
def vector_quantisation() -> Example:
    return _on_rows(_Codes(), 8)


class _Denoiser(nn.Module):
    """Diffusion: noise is added as a schedule says, and predicted from what is left."""

    def __init__(self, steps: int = 10) -> None:
        super().__init__()
        self.register_buffer("kept", torch.linspace(0.99, 0.5, steps).cumprod(0))
        self.network = nn.Sequential(nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 8))

    def forward(self, x: Tensor) -> Tensor:
        when = torch.randint(len(self.kept), (x.shape[0],))
        kept, noise = self.kept[when, None], torch.randn_like(x)
        speeds = torch.arange(4)
        waves = when[:, None] / 10**speeds
        told = torch.cat((kept.sqrt() * x + (1 - kept).sqrt() * noise, waves.sin(), waves.cos()), 1)
        return F.mse_loss(self.network(told), noise)


@architecture
def denoising_diffusion() -> Example:
    return _on_rows(_Denoiser(), 8)


class _Set(nn.Module):
    """Deep Sets: the same for any order, padding masked out."""

    def __init__(self) -> None:
        super().__init__()
        self.each, self.all = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, items: Tensor, *, lengths: Tensor) -> Tensor:
        there = torch.arange(items.shape[1]) < lengths[:, None]
        found: Tensor = self.all((F.relu(self.each(items)) * there[..., None]).sum(1))
        return found


@architecture
def deep_sets() -> Example:
    first = called_with(torch.randn(2, 5, 4), lengths=torch.tensor([3, 5]))
    return Example(_Set(), first, called_with(torch.randn(3, 6, 4), lengths=torch.tensor([1, 6, 2])))


class _Neighbours(nn.Module):
    """Graph attention over a list of edges."""

    def __init__(self, width: int = 6) -> None:
        super().__init__()
        self.value, self.score = nn.Linear(width, width), nn.Linear(2 * width, 1)

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        source, target = edges
        value = self.value(x)
        weights = F.leaky_relu(self.score(torch.cat((value[source], value[target]), 1))).exp()
        total = x.new_zeros(x.shape[0], 1).index_add(0, target, weights)
        return x + x.new_zeros(x.shape).index_add(0, target, value[source] * weights / total[target])


@architecture
def graph_attention() -> Example:
    first = called_with(torch.randn(4, 6), torch.tensor([[0, 1, 2, 3, 0], [1, 2, 3, 0, 2]]))
    return Example(_Neighbours(), first, called_with(torch.randn(5, 6), torch.tensor([[0, 4], [3, 3]])))


class _Adapted(nn.Module):
    """Low-rank adapters beside a layer that does not learn."""

    def __init__(self, width: int = 8, rank: int = 2) -> None:
        super().__init__()
        self.frozen = nn.Linear(width, width).requires_grad_(False)
        self.down, self.up = nn.Parameter(torch.randn(rank, width)), nn.Parameter(torch.zeros(width, rank))

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.frozen(x) + x @ self.down.T @ self.up.T
        return found


@architecture
def low_rank_adapters() -> Example:
    return _on_rows(nn.Sequential(_Adapted(), nn.ReLU(), _Adapted()), 8)


class _Tower(nn.Module):
    """Duelling Q-learning with a target network that follows."""

    def __init__(self) -> None:
        super().__init__()
        self.online, self.target = (
            nn.ModuleDict({"value": nn.Linear(4, 1), "gain": nn.Linear(4, 3)}) for _ in range(2)
        )
        self.target.requires_grad_(False)

    def forward(self, state: Tensor, action: Tensor, reward: Tensor, following: Tensor) -> Tensor:
        with torch.no_grad():
            wanted = reward + 0.9 * self.values(self.target, following).amax(1)
        return F.smooth_l1_loss(self.values(self.online, state).gather(1, action[:, None])[:, 0], wanted)

    def values(self, heads: nn.ModuleDict, state: Tensor) -> Tensor:
        gain = heads["gain"](state)
        found: Tensor = heads["value"](state) + gain - gain.mean(1, keepdim=True)
        return found


@architecture
def duelling_values() -> Example:
    def call(count: int) -> Dict[str, object]:
        states = torch.randn(2, count, 4)
        return called_with(states[0], torch.randint(3, (count,)), torch.randn(count), states[1])

    return Example(_Tower(), call(3), call(5))


class _Turing(nn.Module):
    """Neural Turing machine: a controller reads and writes a memory by content."""

    def __init__(self) -> None:
        super().__init__()
        self.controller, self.heads = nn.GRUCell(4 + 5, 8), nn.Linear(8, 5 + 5 + 5 + 1)
        self.memory = nn.Parameter(torch.randn(6, 5))

    def forward(self, steps: Tensor) -> Tensor:
        memory = self.memory.expand(steps.shape[0], -1, -1)
        hidden, read, found = None, steps.new_zeros(steps.shape[0], 5), []
        for step in steps.unbind(1):
            hidden = self.controller(torch.cat((step, read), 1), hidden)
            key, erase, add, sharpness = self.heads(hidden).split((5, 5, 5, 1), 1)
            likeness = F.cosine_similarity(memory, key[:, None], -1)
            weights = (F.softplus(sharpness) * likeness).softmax(1)[..., None]
            memory = memory * (1 - weights * erase.sigmoid()[:, None]) + weights * add[:, None]
            read = (weights * memory).sum(1)
            found.append(read)
        return torch.stack(found, 1)


@architecture
def turing_machine() -> Example:
    return _on_steps(_Turing(), 4)


class _Waves(nn.Module):
    """SIREN: sines all the way."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 16), nn.Linear(16, 16), nn.Linear(16, 3)])

    def forward(self, where: Tensor) -> Tensor:
        *inner, last = self.layers
        for layer in inner:
            where = torch.sin(30 * layer(where))
        found: Tensor = last(where)
        return found


@architecture
def sine_network() -> Example:
    return _on_rows(_Waves(), 2)


class _Physics(nn.Module):
    """A network and what its own derivatives have to satisfy."""

    def __init__(self) -> None:
        super().__init__()
        self.network = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, time: Tensor) -> Tensor:
        def at(moment: Tensor) -> Tensor:
            found: Tensor = self.network(moment[None])[0]
            return found

        slope = torch.func.vmap(torch.func.grad(at))(time[:, 0])
        return (slope + self.network(time)[:, 0]).square().mean()


@architecture
def physics_informed() -> Example:
    return _on_rows(_Physics(), 1)


class _Contrast(nn.Module):
    """Two views of each sample find each other among all."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, x: Tensor) -> Tensor:
        views = [F.normalize(self.encode(x + 0.1 * torch.randn_like(x)), dim=1) for _ in range(2)]
        scores = views[0] @ views[1].T / 0.1
        return F.cross_entropy(scores, torch.arange(len(x)))


@architecture
def contrastive_views() -> Example:
    return _on_rows(_Contrast(), 8)
