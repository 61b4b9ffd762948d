"""The encoder in PyTorch. `Encoder` takes texts of one length per batch; padded.py takes any."""

import torch
from torch import Tensor, nn
from torch.nn import functional

VOCABULARY, POSITIONS, WIDTH, HEADS, LAYERS = 30522, 512, 384, 12, 6
# Of BERT's layer norms.
EPSILON = 1e-12


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.projection = nn.Linear(WIDTH, WIDTH)
        self.attended = nn.LayerNorm(WIDTH, EPSILON)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.hidden = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, hidden: Tensor, bias: Tensor | None = None) -> Tensor:
        """`bias` is added to the scores of attention, for texts with padding."""
        texts, tokens, _ = hidden.shape
        split = self.attention(hidden).view(texts, tokens, 3, HEADS, WIDTH // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        context = attend(query, key, value, bias)
        context = context.transpose(1, 2).reshape(texts, tokens, WIDTH)
        hidden = self.attended(hidden + self.projection(context))
        return self.hidden(hidden + self.narrow(functional.gelu(self.widen(hidden))))


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
    """Attention in plain steps. For short texts, PyTorch's own takes ten times as long backward."""
    scores = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5
    if bias is not None:
        scores = scores.float() + bias
    return scores.softmax(-1).to(value.dtype) @ value


class Encoder(nn.Module):
    """Maps token ids [texts, tokens] to unit vectors [texts, WIDTH] in float32."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        # The vector of token type 0, which every token has, is part of the positions.
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.embedded = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def states(self, ids: Tensor) -> Tensor:
        """Returns the tokens' last states [texts, tokens, WIDTH]."""
        hidden = self.embedded(self.words(ids) + self.positions.weight[: ids.shape[1]])
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden
