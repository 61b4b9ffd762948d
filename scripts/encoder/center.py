"""Centres the teacher's vectors: documents and questions each have a mean that is subtracted."""

from pathlib import Path

import numpy as np

from shards import read_shard, vectors_path


def read_centers(folder: Path, name: str) -> np.ndarray:
    """Returns the means [2, width] of the documents and of the questions of a shard."""
    shard = read_shard(folder, name)
    vectors = np.load(vectors_path(folder, name)).astype(np.float32)
    questions = shard.are_questions
    return np.stack([vectors[~questions].mean(0), vectors[questions].mean(0)])


def centred(vectors: np.ndarray, are_questions: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Returns float32 vectors at unit length after subtracting the mean of their kind."""
    moved = vectors.astype(np.float32) - centers[are_questions.astype(int)]
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)
