"""The weights of a BERT encoder in float32."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file

HIDDEN, HEADS, LAYERS, TOKENS_MAX = 384, 12, 6, 256


class Linear(NamedTuple):
    """hidden @ kernel + bias. The shape of the kernel is [in, out]."""

    kernel: np.ndarray
    bias: np.ndarray


class Norm(NamedTuple):
    gamma: np.ndarray
    beta: np.ndarray


class TokenProjection(NamedTuple):
    """
    Maps the last states of tokens to what a search compares with term embeddings: the unit vector, less
    `mean`, in `components` [HIDDEN, components].
    """

    mean: np.ndarray
    components: np.ndarray


class Model(NamedTuple):
    """The encoder's weights in float32, keyed "LAYER.PART"."""

    words: np.ndarray
    positions: np.ndarray
    linears: dict[str, Linear]
    norms: dict[str, Norm]
    layers: int
    # Layers that lead to the vector of an answer. Their numbers follow, and they replace as many of the last.
    answer_layers: int
    # Adds the output `token_embeddings`. None: no such output.
    tokens: TokenProjection | None


def read_encoder(folder: Path) -> Model:
    """Reads the encoder that models/training wrote. The layers after the sixth are those of answers."""
    weight = load_file(folder / "encoder.safetensors")
    layers = len({int(name.split(".")[2]) for name in weight if name.startswith("encoder.layer.")})

    def linear(layer: int, *parts: str) -> Linear:
        """Joins the outputs of several parts into one layer. The stored shape is [out, in]."""
        keys = [f"encoder.layer.{layer}.{part}" for part in parts]
        return Linear(
            np.concatenate([weight[f"{key}.weight"].T for key in keys], axis=1),
            np.concatenate([weight[f"{key}.bias"] for key in keys]),
        )

    def norm(key: str) -> Norm:
        return Norm(weight[f"{key}.LayerNorm.weight"], weight[f"{key}.LayerNorm.bias"])

    linears, norms = {}, {"embedded": norm("embeddings")}
    for i in range(layers):
        parts = [f"attention.self.{part}" for part in ("query", "key", "value")]
        linears[f"{i}.attention"] = linear(i, *parts)
        linears[f"{i}.projection"] = linear(i, "attention.output.dense")
        linears[f"{i}.widen"] = linear(i, "intermediate.dense")
        linears[f"{i}.narrow"] = linear(i, "output.dense")
        norms[f"{i}.attended"] = norm(f"encoder.layer.{i}.attention.output")
        norms[f"{i}.hidden"] = norm(f"encoder.layer.{i}.output")

    # Every token has type 0, so the vector of type 0 is added to the positions here.
    type_of_token = weight["embeddings.token_type_embeddings.weight"][0]
    positions = weight["embeddings.position_embeddings.weight"][:TOKENS_MAX] + type_of_token
    return Model(
        words=weight["embeddings.word_embeddings.weight"],
        positions=positions,
        linears=linears,
        norms=norms,
        layers=LAYERS,
        answer_layers=layers - LAYERS,
        tokens=TokenProjection(**np.load(folder / "terms/token-projection.npz")),
    )
