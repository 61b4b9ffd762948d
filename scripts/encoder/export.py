#!/usr/bin/env python3
"""
Writes the student of a training run for build-model.py.

Usage: export.py RUN_DIR ORIGIN_DIR OUT_DIR

OUT_DIR gets student.safetensors, the moving average of the weights by the names of PyTorch's
BertModel, and the tokenizer and the license of ORIGIN_DIR, the unpacked package of MiniLM. Then:
build-model.py student OUT_DIR MODEL_DIR
"""

import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from bert import WIDTH

# Parts of a layer by their names in bert.py.
PARTS = {
    "projection": "attention.output.dense",
    "attended": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "hidden": "output.LayerNorm",
}


def main() -> None:
    run, origin, out = (Path(argument) for argument in sys.argv[1:])
    state = torch.load(run / "checkpoint.pt")
    out.mkdir(parents=True, exist_ok=True)
    save_file(named_weights(state["average"]), out / "student.safetensors")
    for name in ("model/tokenizer.json", "LICENSE"):
        shutil.copy(origin / name, out / Path(name).name)
    shard, _, step = state["at"]
    print(f"exported step {step}, after {shard} whole shards")


def named_weights(average: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    weights = {
        "embeddings.word_embeddings.weight": average["words.weight"].numpy(),
        "embeddings.position_embeddings.weight": average["positions.weight"].numpy(),
        # The positions of bert.py include the token type.
        "embeddings.token_type_embeddings.weight": np.zeros((2, WIDTH), np.float32),
    }
    layers = 1 + max(int(name.split(".")[1]) for name in average if name.startswith("layers."))
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = average[f"embedded.{kind}"].numpy()
        weights[f"map.{kind}"] = average[f"map.{kind}"].numpy()
        for i in range(layers):
            key = f"encoder.layer.{i}"
            joined = average[f"layers.{i}.attention.{kind}"].numpy()
            for part, values in zip(("query", "key", "value"), np.split(joined, 3), strict=True):
                weights[f"{key}.attention.self.{part}.{kind}"] = np.ascontiguousarray(values)
            for part, name in PARTS.items():
                weights[f"{key}.{name}.{kind}"] = average[f"layers.{i}.{part}.{kind}"].numpy()
    return weights


if __name__ == "__main__":
    main()
