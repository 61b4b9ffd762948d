"""Reads the shards that choose_texts.py writes, and the teacher's vectors beside them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import numpy as np

from student_tokens import QUESTION_MARK


@dataclass
class Shard:
    name: str
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
    return Shard(
        name, np.load(folder / f"{name}.tokens.npy"), np.load(folder / f"{name}.starts.npy")
    )


def shard_names(folder: Path) -> list[str]:
    """Returns the names of the training shards in order, without the one that is held out."""
    return sorted(path.name.removesuffix(".starts.npy") for path in folder.glob("[0-9]*.starts.npy"))


def batches(lengths: np.ndarray, tokens_max: int) -> Iterator[np.ndarray]:
    """Yields rows with the same number of tokens, about `tokens_max` tokens at a time."""
    order = np.argsort(lengths, kind="stable")
    for same in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
        size = max(1, tokens_max // int(lengths[same[0]]))
        yield from (same[at : at + size] for at in range(0, len(same), size))


def training_plan(shard: Shard, tokens_max: int, draw: np.random.Generator) -> list[np.ndarray]:
    """Returns batches in another order for each `draw`. A batch has questions only, or none."""
    plan = []
    for chosen in (shard.are_questions, ~shard.are_questions):
        rows = draw.permutation(np.flatnonzero(chosen))
        plan += [rows[batch] for batch in batches(shard.lengths[rows], tokens_max)]
    return [plan[at] for at in draw.permutation(len(plan))]


def vectors_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.vectors.npy"
