"""Reads the shards that choose_texts.py writes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import numpy as np

from tokens import QUESTION_MARK


@dataclass
class Shard:
    tokens: np.ndarray
    starts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)

    @property
    def are_questions(self) -> np.ndarray:
        return self.tokens[self.starts[:-1] + 1] == QUESTION_MARK

    def ids(self, rows: np.ndarray) -> np.ndarray:
        """Returns the token ids [texts, tokens] of rows with the same number of tokens."""
        length = self.lengths[rows[0]]
        return self.tokens[self.starts[rows][:, None] + np.arange(length)].astype(np.int64)


def read_shard(folder: Path, name: str) -> Shard:
    return Shard(np.load(folder / f"{name}.tokens.npy"), np.load(folder / f"{name}.starts.npy"))


def batches(lengths: np.ndarray, tokens_max: int) -> Iterator[np.ndarray]:
    """Yields rows with the same number of tokens, about `tokens_max` tokens at a time."""
    order = np.argsort(lengths, kind="stable")
    for same in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
        size = max(1, tokens_max // int(lengths[same[0]]))
        yield from (same[at : at + size] for at in range(0, len(same), size))
