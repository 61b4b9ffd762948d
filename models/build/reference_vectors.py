#!/usr/bin/env python3
"""Computes the reference vectors for the tests of the model folder.

Usage: reference_vectors.py ENCODER_DIR FILE

ENCODER_DIR is the output of models/training/train.py. The script runs the trained encoder in float64.
It implements the encoder a second time, in plain numpy. It shares only the tokenizer with the model
folder, not the graph, the runtime or the quantization.

FILE is test/fixtures/reference-vectors.json: {"description", "texts": [{"text", "vector", "answer"}]}. Its
texts stay, and their vectors are replaced. Each has unit length, and is stored as 384 little-endian float32
values in base64.

Python 3.11 with numpy==2.4.6 safetensors==0.8.0 tokenizers==0.23.2
"""

import base64
import json
import math
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HIDDEN, HEADS, LAYERS, TOKENS_MAX = 384, 12, 6, 256
EPSILON = 1e-12


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: reference_vectors.py ENCODER_DIR FILE")
    folder, file = Path(sys.argv[1]), Path(sys.argv[2])
    weights = {
        name: values.astype(np.float64)
        for name, values in load_file(folder / "encoder.safetensors").items()
    }
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    # The package's file pads and truncates every text to 128 tokens.
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)

    content = json.loads(file.read_text(encoding="utf-8"))
    for entry in content["texts"]:
        vectors = embed(weights, tokenizer.encode(entry["text"]).ids)
        entry.update({name: encoded(vector) for name, vector in vectors.items()})
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def encoded(vector: np.ndarray) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def embed(weights: dict, ids: list[int]) -> dict[str, np.ndarray]:
    """
    Returns the mean over the tokens of one text, at unit length, as a document and of an answer. The layers
    of answers follow the others, and take the place of as many of the last.
    """
    hidden = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    hidden = layer_norm(weights, "embeddings.LayerNorm", hidden)
    all_layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    branch = LAYERS - (all_layers - LAYERS)
    shared = through(weights, hidden, range(branch))
    return {
        "vector": unit_mean(through(weights, shared, range(branch, LAYERS))),
        "answer": unit_mean(through(weights, shared, range(LAYERS, all_layers))),
    }


def through(weights: dict, hidden: np.ndarray, layers: range) -> np.ndarray:
    for layer in layers:
        hidden = encoder_layer(weights, f"encoder.layer.{layer}", hidden)
    return hidden


def unit_mean(hidden: np.ndarray) -> np.ndarray:
    mean = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)


def encoder_layer(weights: dict, key: str, hidden: np.ndarray) -> np.ndarray:
    """Attention, then two linear layers around a GELU. Both add their input, then normalize."""
    context = attention(weights, f"{key}.attention.self", hidden)
    projected = linear(weights, f"{key}.attention.output.dense", context)
    attended = layer_norm(weights, f"{key}.attention.output.LayerNorm", projected + hidden)
    wide = gelu(linear(weights, f"{key}.intermediate.dense", attended))
    narrow = linear(weights, f"{key}.output.dense", wide)
    return layer_norm(weights, f"{key}.output.LayerNorm", narrow + attended)


def attention(weights: dict, key: str, hidden: np.ndarray) -> np.ndarray:
    """Concatenates the heads. Each uses 32 of the 384 channels: softmax(Q K' / sqrt(32)) V."""
    query, keys, values = (
        np.split(linear(weights, f"{key}.{part}", hidden), HEADS, axis=1)
        for part in ("query", "key", "value")
    )
    heads = []
    for head in range(HEADS):
        scores = query[head] @ keys[head].T / math.sqrt(HIDDEN / HEADS)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        heads.append(shares / shares.sum(axis=1, keepdims=True) @ values[head])
    return np.concatenate(heads, axis=1)


def linear(weights: dict, key: str, hidden: np.ndarray) -> np.ndarray:
    return hidden @ weights[f"{key}.weight"].T + weights[f"{key}.bias"]


def layer_norm(weights: dict, key: str, hidden: np.ndarray) -> np.ndarray:
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)
    return centred / deviation * weights[f"{key}.weight"] + weights[f"{key}.bias"]


def gelu(values: np.ndarray) -> np.ndarray:
    """The exact GELU, with the error function."""
    return values * 0.5 * (1 + np.vectorize(math.erf)(values / math.sqrt(2)))


if __name__ == "__main__":
    main()
