"""The encoder of bert.py for texts of any length in a batch, with layers for answers."""

import copy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bert import LAYERS, WIDTH, Encoder
from weights import read_origin

# These continue from the layer before, in place of as many of the encoder's last ones.
ANSWER_LAYERS = 4
TOKENS_PER_BATCH = 3000
TEXTS_PER_CALL = 512
# Texts of one batch are at most this much longer than its shortest one.
LENGTH_RATIO, LENGTH_MORE = 1.25, 3
MASKED = -1e4


class PaddedEncoder(Encoder):
    """`layers` are those of the encoder, and then those of answers, which begin as copies of its last."""

    def __init__(self, origin: Encoder) -> None:
        super().__init__()
        self.load_state_dict(origin.state_dict())
        self.layers.extend(copy.deepcopy(list(self.layers[LAYERS - ANSWER_LAYERS :])))

    def trained_parameters(self) -> list[nn.Parameter]:
        """All but the words and positions, which would only fit the words of the questions."""
        fixed = ("words.", "positions.")
        return [p for name, p in self.named_parameters() if not name.startswith(fixed)]

    def embed(self, rows: list[list[int]]) -> Tensor:
        """Returns unit vectors [texts, WIDTH] of rows of token ids, in their order."""
        return self.in_batches(rows, self.vectors_of)[0]

    def embed_questions(self, rows: list[list[int]]) -> tuple[Tensor, Tensor]:
        """Returns the same, and the vectors near which the sentences are that answer."""
        return tuple(self.in_batches(rows, self.vectors_and_answers_of))

    def in_batches(self, rows: list[list[int]], embed) -> list[Tensor]:
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        found = [embed(*padded([rows[at] for at in batch])) for batch in batches(order, rows)]
        back = torch.empty(len(rows), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(rows))
        return [torch.cat(parts)[back] for parts in zip(*found, strict=True)]

    def vectors_of(self, ids: Tensor, mask: Tensor) -> tuple[Tensor]:
        hidden = self.run(self.embedded_tokens(ids), mask, self.layers[:LAYERS])
        return (pooled(hidden, mask),)

    def vectors_and_answers_of(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        branch = LAYERS - ANSWER_LAYERS
        shared = self.run(self.embedded_tokens(ids), mask, self.layers[:branch])
        own, answers = self.layers[branch:LAYERS], self.layers[LAYERS:]
        return tuple(pooled(self.run(shared, mask, part), mask) for part in (own, answers))

    def embedded_tokens(self, ids: Tensor) -> Tensor:
        return self.embedded(self.words(ids) + self.positions.weight[: ids.shape[1]])

    def run(self, hidden: Tensor, mask: Tensor, layers: nn.ModuleList) -> Tensor:
        bias = torch.where(mask, 0.0, MASKED)[:, None, None, :]
        with torch.autocast("cpu", torch.bfloat16):
            for layer in layers:
                hidden = layer(hidden, bias)
        return hidden


def padded(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    length = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    return ids, torch.tensor([[at < len(row) for at in range(length)] for row in rows])


def pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    share = mask / mask.sum(1, keepdim=True)
    return functional.normalize((hidden.float() * share[:, :, None]).sum(1), dim=1)


def batches(order: list[int], rows: list[list[int]]) -> list[list[int]]:
    """Divides positions, sorted by the length of their rows."""
    found: list[list[int]] = []
    for at in order:
        length = len(rows[at])
        batch = found[-1] if found else []
        longest = len(rows[batch[0]]) * LENGTH_RATIO + LENGTH_MORE if batch else 0
        if length <= longest and (len(batch) + 1) * length <= TOKENS_PER_BATCH:
            batch.append(at)
        else:
            found.append([at])
    return found


def read_padded(path: Path) -> PaddedEncoder:
    return PaddedEncoder(read_origin(path))


def embed_all(encoder: PaddedEncoder, rows: list[list[int]]) -> np.ndarray:
    """Embeds any number of texts without gradients."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    vectors = np.empty((len(rows), WIDTH), np.float32)
    with torch.inference_mode():
        for at in range(0, len(order), TEXTS_PER_CALL):
            part = order[at : at + TEXTS_PER_CALL]
            vectors[part] = encoder.embed([rows[one] for one in part]).numpy()
    return vectors
