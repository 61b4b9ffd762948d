#!/usr/bin/env python3
"""
Centres the teacher's vectors: documents and questions each have a mean that is subtracted.

Usage: center.py SHARD_DIR

Writes the means of the held-out shard to ../quantize/bge-center.json. Training and the teacher's graph
both read that file, so that student and teacher have one space. Do not change it during a training.
"""

import json
import sys
from pathlib import Path

import numpy as np

from shards import read_shard, vectors_path

CENTERS = Path(__file__).resolve().parent.parent / "quantize" / "bge-center.json"
DIGITS = 5


def main() -> None:
    folder = Path(sys.argv[1])
    questions = read_shard(folder, "held-out").are_questions
    vectors = np.load(vectors_path(folder, "held-out")).astype(np.float32)
    stored = json.loads(CENTERS.read_text())
    for kind, chosen in (("documents", ~questions), ("questions", questions)):
        stored[kind] = [round(float(value), DIGITS) for value in vectors[chosen].mean(0)]
    CENTERS.write_text(json.dumps(stored) + "\n")


def read_centers() -> np.ndarray:
    """Returns the means [2, width] of the documents and of the questions."""
    stored = json.loads(CENTERS.read_text())
    return np.array([stored["documents"], stored["questions"]], np.float32)


def centred(vectors: np.ndarray, are_questions: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Returns float32 vectors at unit length after subtracting the mean of their kind."""
    moved = vectors.astype(np.float32) - centers[are_questions.astype(int)]
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


if __name__ == "__main__":
    main()
