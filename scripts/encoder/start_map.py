"""Fits the student's last linear map before training, so that it starts near the teacher's space."""

from pathlib import Path

import numpy as np
import torch

from bert import WIDTH, Encoder
from center import centred
from shards import batches, read_shard, vectors_path

TEXTS, TOKENS_PER_BATCH = 12_000, 4096
# The penalty on the map's size, as a share of the mean variance of the student's components.
RIDGE = 0.01


def fit_map(student: Encoder, folder: Path, name: str, centers: np.ndarray) -> None:
    """Sets the map to the ridge regression from pooled states to the teacher's centred vectors."""
    shard = read_shard(folder, name)
    rows = np.arange(min(TEXTS, len(shard.lengths)))
    vectors = np.load(vectors_path(folder, name))[rows]
    targets = centred(vectors, shard.are_questions[rows], centers)
    pooled = np.empty((len(rows), WIDTH), np.float32)
    for batch in batches(shard.lengths[rows], TOKENS_PER_BATCH):
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            pooled[batch] = student.pooled(torch.from_numpy(shard.ids(batch))).numpy()
    mean = pooled.mean(0)
    inputs = pooled - mean
    penalty = RIDGE * len(rows) * inputs.var(0).mean()
    weight = np.linalg.solve(inputs.T @ inputs + penalty * np.eye(WIDTH), inputs.T @ targets).T
    with torch.no_grad():
        student.map.weight.copy_(torch.from_numpy(weight))
        student.map.bias.copy_(torch.from_numpy(targets.mean(0) - weight @ mean))
