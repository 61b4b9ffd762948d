"""BERT encoders in PyTorch, for texts of one length per batch: no padding and no attention mask."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

VOCABULARY, POSITIONS, WIDTH, HEADS = 30522, 512, 384, 12
# Of BERT's layer norms.
EPSILON = 1e-12


@dataclass(frozen=True)
class Shape:
    """What differs between the encoders: the number of layers, and how tokens become one vector."""

    layers: int
    # "mean" over the tokens, or "cls": the state of the first token.
    pooling: str
    # Whether a linear map follows the pooling. A student has one, from its own space to the teacher's.
    mapped: bool = False


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.projection = nn.Linear(WIDTH, WIDTH)
        self.attended = nn.LayerNorm(WIDTH, EPSILON)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.hidden = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, hidden: Tensor) -> Tensor:
        texts, tokens, _ = hidden.shape
        split = self.attention(hidden).view(texts, tokens, 3, HEADS, WIDTH // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        context = functional.scaled_dot_product_attention(query, key, value)
        context = context.transpose(1, 2).reshape(texts, tokens, WIDTH)
        hidden = self.attended(hidden + self.projection(context))
        return self.hidden(hidden + self.narrow(functional.gelu(self.widen(hidden))))


class Encoder(nn.Module):
    """Maps token ids [texts, tokens] to unit vectors [texts, WIDTH] in float32."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        # The vector of token type 0, which every token has, is part of the positions.
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.embedded = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(shape.layers))
        self.map = nn.Linear(WIDTH, WIDTH) if shape.mapped else None

    def pooled(self, ids: Tensor) -> Tensor:
        hidden = self.embedded(self.words(ids) + self.positions.weight[: ids.shape[1]])
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden[:, 0].float() if self.shape.pooling == "cls" else hidden.float().mean(1)

    def forward(self, ids: Tensor) -> Tensor:
        pooled = self.pooled(ids)
        if self.map is not None:
            with torch.autocast("cpu", enabled=False):
                pooled = self.map(pooled)
        return functional.normalize(pooled, dim=1)


def embed(encoder: Encoder, ids: Tensor) -> Tensor:
    """Embeds without gradients, with the linear layers in bfloat16 (cosine to float32: 0.9998)."""
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        return encoder(ids)
