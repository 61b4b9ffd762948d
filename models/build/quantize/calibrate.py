"""Measures the ranges of activations on texts, and moves what is hard to quantize into the weights."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from quantize.graph import InputRange, answer_encoder, encoder, onnx_bytes
from quantize.model import HIDDEN, TOKENS_MAX, Linear, Model

# Written for calibration, a text on each line. They cover many fields and formats.
CALIBRATION_TEXTS = Path(__file__).with_name("calibration-texts.txt").read_text("utf-8").splitlines()
# The exponent of SmoothQuant: the share of a channel's range that moves into the weights.
SMOOTHING = 0.7
# GELU is never below -0.1705. Values above 5 are rare and are clipped.
GELU_MIN, GELU_MAX = -0.1705, 5.0
# A loud neuron is above LOUD_MIN for [CLS] in every text, and below QUIET_MAX for all other tokens.
LOUD_MIN, QUIET_MAX = 2.2 * GELU_MAX, 1.0
LOUD_OF_OTHERS_MIN = 2 * GELU_MAX


class Seen(NamedTuple):
    """The ranges of the input channels of one linear layer over the calibration texts."""

    low: np.ndarray
    high: np.ndarray
    # The maximum without [CLS], and the minimum of [CLS] only.
    high_of_others: np.ndarray
    low_of_first: np.ndarray


def watch(model: Model, tokenizer: Tokenizer) -> dict[str, Seen]:
    """Runs the float graph on the calibration texts, and records the inputs of the linear layers."""
    graph = encoder(model, None)
    answer_encoder(model, None, graph)
    options = onnxruntime.SessionOptions()
    # With one thread, the order of additions is fixed.
    options.intra_op_num_threads = 1
    graph_bytes = onnx_bytes(graph, "float", tuple(graph.linear_inputs.values()))
    session = onnxruntime.InferenceSession(graph_bytes, options, ["CPUExecutionProvider"])
    tokenizer.enable_truncation(TOKENS_MAX)
    inputs = {name: [] for name in graph.linear_inputs}
    for text in CALIBRATION_TEXTS:
        ids = np.array([tokenizer.encode(text).ids], np.int32)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        values = session.run(list(graph.linear_inputs.values()), feeds)
        for name, value in zip(graph.linear_inputs, values, strict=True):
            inputs[name].append(value[0])

    def seen(texts: list[np.ndarray]) -> Seen:
        tokens, first = np.concatenate(texts), np.stack([text[0] for text in texts])
        others = np.concatenate([text[1:] for text in texts])
        return Seen(tokens.min(0), tokens.max(0), others.max(0), first.min(0))

    return {name: seen(texts) for name, texts in inputs.items()}


def split_loud_neurons(model: Model, seen: dict[str, Seen]) -> Model:
    """
    One or two of the 1,536 neurons of many layers output 14 to 27 for [CLS], and some for other
    tokens too. These high values would make the uint8 steps of all neurons coarse.

    uint8 clips these neurons at GELU_MAX. Copies of the neuron add the missing part. The output of a
    copy is clipped at GELU_MAX too.
    """
    linears = dict(model.linears)
    for i in range(model.layers + model.answer_layers):
        widen, narrow = linears[f"{i}.widen"], linears[f"{i}.narrow"]
        of_first, of_others = copies_for_first(seen[f"{i}.narrow"]), copies_for_all(seen[f"{i}.narrow"])
        columns, biases, rows = [], [], []
        for copy in [*of_first, *of_others]:
            columns.append(widen.kernel[:, copy.neuron])
            biases.append(widen.bias[copy.neuron] - copy.threshold)
            rows.append(narrow.kernel[copy.neuron] * copy.factor)
        # Processors multiply groups of four weights.
        padding = -len(columns) % 4
        columns += [np.zeros(HIDDEN, np.float32)] * padding
        biases += [np.float32(0)] * padding
        rows += [np.zeros(HIDDEN, np.float32)] * padding
        if columns:
            linears[f"{i}.widen"] = Linear(
                np.column_stack([widen.kernel, *columns]), np.concatenate([widen.bias, biases])
            )
            linears[f"{i}.narrow"] = Linear(np.vstack([narrow.kernel, *rows]), narrow.bias)
    return model._replace(linears=linears)


class Copy(NamedTuple):
    """A neuron with a lower bias. `factor` scales its output."""

    neuron: int
    threshold: np.float32
    factor: np.float32


def copies_for_first(seen: Seen) -> list[Copy]:
    """
    Copies of neurons that are loud for [CLS] only, with the same value in every text. The bias is so
    low that a copy responds only to [CLS]: [CLS] is still above GELU_MAX, all other tokens are far
    below 0.
    """
    copies = []
    height, others = seen.low_of_first, seen.high_of_others
    for neuron in np.flatnonzero((height > LOUD_MIN) & (others < QUIET_MAX)):
        missing = round(float(height[neuron]), 1) - GELU_MAX
        count = math.ceil(missing / GELU_MAX)
        threshold = np.float32((missing + GELU_MAX) / 2)
        copies += [Copy(neuron, threshold, np.float32(missing / GELU_MAX / count))] * count
    return copies


def copies_for_all(seen: Seen) -> list[Copy]:
    """
    Copies of neurons that are loud for other tokens too. Each has the next GELU_MAX of the range, and
    their sum differs from the neuron by at most 0.2, because GELU is nearly linear above 2.
    """
    loud = (seen.high > LOUD_OF_OTHERS_MIN) & (seen.high_of_others >= QUIET_MAX)
    return [
        Copy(neuron, np.float32(step * GELU_MAX), np.float32(1))
        for neuron in np.flatnonzero(loud)
        for step in range(1, math.ceil(seen.high[neuron] / GELU_MAX))
    ]


def input_ranges(model: Model, seen: dict[str, Seen]) -> dict[str, InputRange]:
    return {
        name: input_range(name.split(".")[1], linear.kernel, seen[name])
        for name, linear in model.linears.items()
    }


def input_range(part: str, kernel: np.ndarray, seen: Seen) -> InputRange:
    """Returns the uint8 range for the input of a linear layer, and the smoothing of its channels."""
    if part == "narrow":
        return spread(GELU_MIN, GELU_MAX, None)
    if part == "projection":
        # The output of attention has no outlier channels.
        return spread(seen.low.min(), seen.high.max(), None)
    loudness = np.maximum(-seen.low, seen.high)
    smoothing = loudness**SMOOTHING / np.abs(kernel).max(axis=1) ** (1 - SMOOTHING)
    smoothing /= np.exp(np.log(smoothing).mean())
    # Rounding to quarter powers of two hides different last bits of sums on other machines.
    smoothing = np.exp2(np.rint(4 * np.log2(smoothing)) / 4).astype(np.float32)
    return spread((seen.low / smoothing).min(), (seen.high / smoothing).max(), smoothing)


def spread(low: float, high: float, smoothing: np.ndarray | None) -> InputRange:
    scale = np.float32(round((float(high) - float(low)) / 255, 5))
    return InputRange(scale, np.uint8(round(-float(low) / float(scale))), smoothing)
