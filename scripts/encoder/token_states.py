"""The last states of an encoder's tokens, and their means over training texts."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from bert import VOCABULARY, WIDTH, Encoder
from shards import batches, read_shard

TOKENS_PER_BATCH = 1024


def states(encoder: Encoder, ids: np.ndarray) -> np.ndarray:
    """Returns unit vectors [texts, tokens, WIDTH] of texts with the same number of tokens."""
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        hidden = encoder.states(torch.from_numpy(ids)).float()
    return torch.nn.functional.normalize(hidden, dim=-1).numpy()


def states_of_rows(encoder: Encoder, rows: list[list[int]]) -> list[np.ndarray]:
    """Returns the states of each text, in the order of the texts."""
    found: list[np.ndarray] = [np.empty(0)] * len(rows)
    lengths = np.array([len(row) for row in rows])
    for batch in batches(lengths, TOKENS_PER_BATCH):
        of_batch = states(encoder, np.array([rows[at] for at in batch]))
        for at, vectors in zip(batch, of_batch, strict=True):
            found[at] = vectors
    return found


def mean_states(encoder: Encoder, folder: Path, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the mean state [VOCABULARY, WIDTH] of each token in the documents of shards, and its count."""
    sums = np.zeros((VOCABULARY, WIDTH), np.float32)
    counts = np.zeros(VOCABULARY, np.int64)
    for rows, vectors_of_rows in documents(encoder, folder, names):
        ids, vectors = rows.ravel(), vectors_of_rows.reshape(-1, WIDTH)
        order = np.argsort(ids, kind="stable")
        ordered = ids[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        sums[ordered[starts]] += np.add.reduceat(vectors[order], starts)
        counts[ordered[starts]] += np.diff(np.r_[starts, len(ordered)])
    return sums / np.maximum(1, counts)[:, None], counts


def documents(
    encoder: Encoder, folder: Path, names: list[str]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """
    Yields batches of documents: token ids [texts, tokens] and states [texts, tokens, WIDTH], without
    [CLS] and [SEP].
    """
    for name in names:
        shard = read_shard(folder, name)
        rows = np.flatnonzero(~shard.are_questions)
        for batch in batches(shard.lengths[rows], TOKENS_PER_BATCH):
            ids = shard.ids(rows[batch])
            yield ids[:, 1:-1], states(encoder, ids)[:, 1:-1]
