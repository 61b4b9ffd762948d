#!/usr/bin/env python3
"""
Computes the teacher's vectors of shards: NAME.vectors.npy, float16 [texts, 384], at unit length.

Usage: teach.py TEACHER_ONNX SHARD_DIR [NAME...]

Without names: held-out, then all shards in order. A shard whose vectors exist is left alone.
TEACHER_ONNX is a graph of build-model.py without a centre. The mark of a question is replaced by the
teacher's instruction. It runs on one thread: start it beside train.py, which waits for the vectors.
"""

import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime

from pause import wait_while_paused
from shards import Shard, batches, read_shard, shard_names, vectors_path

# Larger batches exceed the processor's cache.
TOKENS_PER_BATCH = 512
# "Represent this sentence for searching relevant passages: ", the instruction that the model's
# authors give for questions.
INSTRUCTION = (5050, 2023, 6251, 2005, 6575, 7882, 13768, 1024)
REPORT_EVERY_S = 60


def main() -> None:
    teacher, folder = load_teacher(Path(sys.argv[1])), Path(sys.argv[2])
    for name in sys.argv[3:] or ["held-out", *shard_names(folder)]:
        teach(teacher, folder, name)


def load_teacher(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])


def teach(teacher: onnxruntime.InferenceSession, folder: Path, name: str) -> None:
    path = vectors_path(folder, name)
    if path.exists():
        return
    vectors = vectors_of(teacher, read_shard(folder, name))
    partial = path.with_suffix(".partial.npy")
    np.save(partial, vectors)
    partial.rename(path)


def vectors_of(teacher: onnxruntime.InferenceSession, shard: Shard) -> np.ndarray:
    vectors = np.empty((len(shard.lengths), 384), np.float16)
    questions = shard.are_questions
    started_s = reported_s = time.monotonic()
    done = 0
    for chosen, instruction in ((~questions, ()), (questions, INSTRUCTION)):
        rows = np.flatnonzero(chosen)
        for batch in batches(shard.lengths[rows], TOKENS_PER_BATCH):
            wait_while_paused()
            ids = with_instruction(shard.ids(rows[batch]), instruction)
            vectors[rows[batch]] = embed_ids(teacher, ids)
            done += len(batch)
            if time.monotonic() - reported_s > REPORT_EVERY_S:
                reported_s = time.monotonic()
                rate = done / (reported_s - started_s)
                print(f"teacher {shard.name}: {done}/{len(vectors)}, {rate:.0f}/s", flush=True)
    return vectors


def embed_ids(teacher: onnxruntime.InferenceSession, ids: np.ndarray) -> np.ndarray:
    inputs = {"input_ids": ids.astype(np.int32), "attention_mask": np.ones(ids.shape, np.int32)}
    return teacher.run(None, inputs)[0]


def with_instruction(ids: np.ndarray, instruction: tuple[int, ...]) -> np.ndarray:
    """Replaces the mark, the second token of a question, by the teacher's instruction."""
    if not instruction:
        return ids
    inserted = np.broadcast_to(np.array(instruction), (len(ids), len(instruction)))
    return np.concatenate([ids[:, :1], inserted, ids[:, 2:]], axis=1)


if __name__ == "__main__":
    main()
