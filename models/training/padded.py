"""The encoder of scripts/encoder/bert.py for texts of any length in a batch, with padding and a mask."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from bert import HEADS, WIDTH, Encoder
from weights import read_origin

TOKENS_PER_BATCH = 3000
TEXTS_PER_CALL = 512
# Texts of one batch are at most this much longer than its shortest one.
LENGTH_RATIO, LENGTH_MORE = 1.25, 3
MASKED = -1e4


class PaddedEncoder(Encoder):
    def trained_parameters(self) -> list[torch.nn.Parameter]:
        """All but the words and positions, which would only fit the words of the questions."""
        fixed = ("words.", "positions.")
        return [p for name, p in self.named_parameters() if not name.startswith(fixed)]

    def embed(self, rows: list[list[int]]) -> Tensor:
        """Returns unit vectors [texts, WIDTH] of rows of token ids, in their order."""
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        vectors = [self.embed_batch([rows[at] for at in batch]) for batch in batches(order, rows)]
        back = torch.empty(len(rows), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(rows))
        return torch.cat(vectors)[back]

    def embed_batch(self, rows: list[list[int]]) -> Tensor:
        length = max(len(row) for row in rows)
        ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
        mask = torch.tensor([[at < len(row) for at in range(length)] for row in rows])
        with torch.autocast("cpu", torch.bfloat16):
            hidden = self.padded_states(ids, mask)
        share = mask / mask.sum(1, keepdim=True)
        pooled = (hidden.float() * share[:, :, None]).sum(1)
        return functional.normalize(self.map(pooled), dim=1)

    def padded_states(self, ids: Tensor, mask: Tensor) -> Tensor:
        hidden = self.embedded(self.words(ids) + self.positions.weight[: ids.shape[1]])
        bias = torch.where(mask, 0.0, MASKED)[:, None, None, :]
        for layer in self.layers:
            texts, tokens, _ = hidden.shape
            split = layer.attention(hidden).view(texts, tokens, 3, HEADS, WIDTH // HEADS)
            query, key, value = split.permute(2, 0, 3, 1, 4)
            scores = (query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5).float() + bias
            context = scores.softmax(-1).to(value.dtype) @ value
            context = context.transpose(1, 2).reshape(texts, tokens, WIDTH)
            hidden = layer.attended(hidden + layer.projection(context))
            hidden = layer.hidden(hidden + layer.narrow(functional.gelu(layer.widen(hidden))))
        return hidden


def batches(order: list[int], rows: list[list[int]]) -> list[list[int]]:
    """Divides positions, sorted by the length of their rows."""
    found: list[list[int]] = []
    for at in order:
        length = len(rows[at])
        batch = found[-1] if found else []
        fits = batch and (
            (len(batch) + 1) * length <= TOKENS_PER_BATCH
            and length <= len(rows[batch[0]]) * LENGTH_RATIO + LENGTH_MORE
        )
        if fits:
            batch.append(at)
        else:
            found.append([at])
    return found


def read_padded(path: Path) -> PaddedEncoder:
    encoder = PaddedEncoder()
    encoder.load_state_dict(read_origin(path).state_dict())
    return encoder


def embed_all(encoder: PaddedEncoder, rows: list[list[int]]) -> np.ndarray:
    """Embeds any number of texts without gradients."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    vectors = np.empty((len(rows), WIDTH), np.float32)
    with torch.inference_mode():
        for at in range(0, len(order), TEXTS_PER_CALL):
            part = order[at : at + TEXTS_PER_CALL]
            vectors[part] = encoder.embed([rows[one] for one in part]).numpy()
    return vectors
