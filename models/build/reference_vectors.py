#!/usr/bin/env python3
"""Computes the reference vectors for the tests of the model folder.

Usage: reference_vectors.py ENCODER_DIR FILE

ENCODER_DIR is the output of models/training/train.py. The script runs the trained encoder in PyTorch and
float64. It shares only the tokenizer with the model folder, not the graph, the runtime or the quantization.

FILE is test/fixtures/reference-vectors.json: {"description", "texts": [{"text", "vector", "answer"}]}. Its
texts stay, and their vectors are replaced. Each has unit length, and is stored as 384 little-endian float32
values in base64.

Needs what models/training needs.
"""

import base64
import json
import sys
from pathlib import Path

import torch
from safetensors.numpy import load_file
from torch import Tensor, nn

sys.path.append(str(Path(__file__).parents[1] / "training"))

from bert import LAYERS, Encoder  # noqa: E402
from padded import ANSWER_LAYERS, PaddedEncoder  # noqa: E402
from tokens import read_tokenizer  # noqa: E402
from weights import fill  # noqa: E402


def main() -> None:
    folder, file = (Path(argument) for argument in sys.argv[1:])
    encoder = fill(PaddedEncoder(Encoder()), load_file(folder / "encoder.safetensors")).double()
    tokenizer = read_tokenizer(folder / "tokenizer.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    for entry in content["texts"]:
        entry.update(vectors_of(encoder, torch.tensor([tokenizer.encode(entry["text"]).ids])))
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@torch.inference_mode()
def vectors_of(encoder: PaddedEncoder, ids: Tensor) -> dict[str, str]:
    """The mean over the tokens of one text, at unit length, as a document and of an answer."""
    branch = LAYERS - ANSWER_LAYERS
    shared = through(encoder.layers[:branch], encoder.embedded_tokens(ids))
    parts = {"vector": encoder.layers[branch:LAYERS], "answer": encoder.layers[LAYERS:]}
    return {name: encoded(through(layers, shared).mean(1)[0]) for name, layers in parts.items()}


def through(layers: nn.ModuleList, hidden: Tensor) -> Tensor:
    for layer in layers:
        hidden = layer(hidden)
    return hidden


def encoded(vector: Tensor) -> str:
    unit = vector / vector.norm()
    return base64.b64encode(unit.numpy().astype("<f4").tobytes()).decode()


if __name__ == "__main__":
    main()
