"""Reads the encoder that models/training wrote."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from quantize.model import Model, TokenProjection, encoder_parts

LAYERS = 6


def read_encoder(folder: Path) -> Model:
    """The layers after the sixth are those of answers."""
    weight = load_file(folder / "encoder.safetensors")
    tokens = TokenProjection(**np.load(folder / "terms/token-projection.npz"))
    numbers = {int(name.split(".")[2]) for name in weight if name.startswith("encoder.layer.")}
    parts = encoder_parts(weight, layers=len(numbers))
    return Model(*parts, layers=LAYERS, answer_layers=len(numbers) - LAYERS, tokens=tokens)
