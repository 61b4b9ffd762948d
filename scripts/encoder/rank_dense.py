#!/usr/bin/env python3
"""
Prints nDCG@10 of a model folder's vectors alone, on a test collection in BEIR's form.

Usage: rank_dense.py MODEL_DIR SPLIT_CORPUS QUERIES QRELS

MODEL_DIR is a folder of build-model.py, SPLIT_CORPUS the output of split-corpus.mjs. The three figures
are by the cosine of the document's own vector, by that of its best text, and by both added.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

from dense_ranking import ndcg, read_collection
from student_tokens import read_tokenizer

TEXTS_PER_RUN = 16


def main() -> None:
    model, split, queries, qrels = (Path(argument) for argument in sys.argv[1:])
    manifest = json.loads((model / "manifest.json").read_text())
    collection = read_collection(split, queries, qrels)
    asked = [manifest["queryPrefix"] + text for text in collection.queries.values()]
    found = [manifest["documentPrefix"] + text for text in collection.texts]
    for name, value in ndcg(collection, embed(model, found), embed(model, asked)).items():
        print(f"{name}: {value:.4f}")


def embed(model: Path, texts: list[str]) -> np.ndarray:
    """Returns unit vectors in the order of the texts. Only texts of one length share a run."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model / "model.onnx", options, ["CPUExecutionProvider"])
    tokenizer = read_tokenizer(model / "tokenizer.json")
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    vectors = np.empty((len(rows), 384), np.float32)
    start = 0
    while start < len(order):
        length = len(rows[order[start]])
        batch = [at for at in order[start : start + TEXTS_PER_RUN] if len(rows[at]) == length]
        ids = np.array([rows[at] for at in batch], np.int32)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        vectors[batch] = session.run(None, inputs)[0]
        start += len(batch)
    return vectors


if __name__ == "__main__":
    main()
