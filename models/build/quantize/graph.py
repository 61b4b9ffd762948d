"""Builds the ONNX graph of an encoder: in float for calibration, or quantized to int8."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from quantize.model import HEADS, HIDDEN, Linear, Model, Norm, TokenProjection

# The domain of ONNX Runtime's own fused operators.
FUSED = "com.microsoft"
OPERATOR_SET, FORMAT_VERSION = 17, 9
# Below 127, because of processors without VNNI: see build_model.py.
WEIGHT_MAX = 104

VECTOR, TOKEN_EMBEDDINGS = "sentence_embedding", "token_embeddings"
# An output of the encoder, and the input of the graph that continues to the vector of an answer.
HIDDEN_STATES = "hidden_states"
ANSWER = "answer_embedding"


class InputRange(NamedTuple):
    """How the input of one linear layer is converted to uint8."""

    scale: np.float32
    zero_point: np.uint8
    # Divides the channels of the input, and multiplies the rows of the kernel. None: no smoothing.
    smoothing: np.ndarray | None


@dataclass
class Graph:
    """An ONNX graph under construction. `ranges` has an entry per linear layer. None: float graph."""

    ranges: dict[str, InputRange] | None
    nodes: list = field(default_factory=list)
    initializers: list = field(default_factory=list)
    linear_inputs: dict[str, str] = field(default_factory=dict)

    def constant(self, name: str, values) -> str:
        self.initializers.append(numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def node(self, operator: str, inputs: list[str], output: str, domain="", **attributes) -> str:
        name = f"{output}_node"
        self.nodes.append(helper.make_node(operator, inputs, [output], name, domain=domain, **attributes))
        return output


def encoder(model: Model, ranges: dict[str, InputRange] | None) -> Graph:
    """Builds the whole graph: quantized with `ranges`, float without."""
    graph = Graph(ranges)
    hidden = embed(graph, model)
    for i in range(model.layers):
        if model.answer_layers and i == model.layers - model.answer_layers:
            graph.node("Identity", [hidden], HIDDEN_STATES)
        hidden = layer(graph, model, i, hidden)
    graph.node("LpNormalization", [sum_of_tokens(graph, hidden)], VECTOR, axis=1, p=2)
    if model.tokens is not None:
        project_tokens(graph, hidden, model.tokens)
    return graph


def answer_encoder(model: Model, ranges: dict[str, InputRange] | None, graph: Graph | None = None) -> Graph:
    """Builds the graph from hidden states to the vector of an answer, or adds it to that of the encoder."""
    graph = graph or Graph(ranges)
    hidden = HIDDEN_STATES
    for i in range(model.layers, model.layers + model.answer_layers):
        hidden = layer(graph, model, i, hidden)
    vector = sum_of_tokens(graph, hidden, prefix="answer_")
    graph.node("LpNormalization", [vector], ANSWER, axis=1, p=2)
    return graph


def layer(graph: Graph, model: Model, i: int, hidden: str) -> str:
    context = attention(graph, f"{i}.attention", hidden, model.linears[f"{i}.attention"])
    projected = linear(graph, f"{i}.projection", context, model.linears[f"{i}.projection"])
    attended = norm_of_sum(graph, f"{i}.attended", [projected, hidden], model.norms[f"{i}.attended"])
    wide = linear(graph, f"{i}.widen", attended, model.linears[f"{i}.widen"])
    activated = graph.node("Gelu", [wide], f"{i}.activated", FUSED)
    narrow = linear(graph, f"{i}.narrow", activated, model.linears[f"{i}.narrow"])
    return norm_of_sum(graph, f"{i}.hidden", [narrow, attended], model.norms[f"{i}.hidden"])


def sum_of_tokens(graph: Graph, hidden: str, prefix: str = "") -> str:
    """Sums the tokens without padding. The mean's division would cancel out at unit length."""
    axis = graph.constant(f"{prefix}token_axis", np.array([1], np.int64))
    mask = graph.node("Cast", ["attention_mask"], f"{prefix}mask", to=TensorProto.FLOAT)
    row = graph.node("Unsqueeze", [mask, axis], f"{prefix}mask_row")
    total = graph.node("MatMul", [row, hidden], f"{prefix}pooled_row")
    return graph.node("Squeeze", [total, axis], f"{prefix}pooled")


def project_tokens(graph: Graph, hidden: str, tokens: TokenProjection) -> str:
    """Adds the output [texts, tokens, components]. Its rows are not of unit length."""
    unit = graph.node("LpNormalization", [hidden], "tokens.unit", axis=2, p=2)
    components = graph.constant("tokens.components", tokens.components)
    product = graph.node("MatMul", [unit, components], "tokens.product")
    offset = graph.constant("tokens.offset", tokens.mean @ tokens.components)
    return graph.node("Sub", [product, offset], TOKEN_EMBEDDINGS)


def embed(graph: Graph, model: Model) -> str:
    """Adds word and position, then normalizes. Words are half of the model, so they are int8 too."""
    if graph.ranges is None:
        word = graph.node("Gather", [graph.constant("words", model.words), "input_ids"], "word")
    else:
        scales = np.abs(model.words).max(axis=1, keepdims=True) / np.float32(127)
        words = graph.constant("words", np.rint(model.words / scales).astype(np.int8))
        rows = graph.node("Gather", [words, "input_ids"], "word_int8")
        rows = graph.node("Cast", [rows], "word_unscaled", to=TensorProto.FLOAT)
        scales = graph.constant("word_scales", scales)
        scale = graph.node("Gather", [scales, "input_ids"], "word_scale")
        word = graph.node("Mul", [rows, scale], "word")
    tokens = graph.node("Shape", ["input_ids"], "tokens", start=1, end=2)
    start = graph.constant("position_first", np.array([0], np.int64))
    positions = graph.constant("positions", model.positions)
    position = graph.node("Slice", [positions, start, tokens], "position")
    return norm_of_sum(graph, "embedded", [word, position], model.norms["embedded"])


def attention(graph: Graph, name: str, hidden: str, layer: Linear) -> str:
    """Self-attention of all heads. One linear layer computes queries, keys and values."""
    graph.linear_inputs[name] = hidden
    bias, output = graph.constant(f"{name}.bias", layer.bias), f"{name}.output"
    if graph.ranges is None:
        kernel = graph.constant(f"{name}.kernel", layer.kernel)
        inputs = [hidden, kernel, bias, "attention_mask"]
        return graph.node("Attention", inputs, output, FUSED, num_heads=HEADS)
    values, scale, zero_point = quantized_input(graph, name, hidden)
    kernel, kernel_scale, kernel_zero = quantized_kernel(graph, name, layer.kernel)
    inputs = [values, kernel, bias, scale, kernel_scale, "attention_mask", zero_point, kernel_zero]
    return graph.node("QAttention", inputs, output, FUSED, num_heads=HEADS)


def linear(graph: Graph, name: str, hidden: str, layer: Linear) -> str:
    graph.linear_inputs[name] = hidden
    bias, output = graph.constant(f"{name}.bias", layer.bias), f"{name}.output"
    if graph.ranges is None:
        kernel = graph.constant(f"{name}.kernel", layer.kernel)
        product = graph.node("MatMul", [hidden, kernel], f"{name}.product")
        return graph.node("Add", [product, bias], output)
    values, scale, zero_point = quantized_input(graph, name, hidden)
    kernel, kernel_scale, kernel_zero = quantized_kernel(graph, name, layer.kernel)
    inputs = [values, kernel, scale, kernel_scale, zero_point, kernel_zero, bias]
    return graph.node("MatMulIntegerToFloat", inputs, output, FUSED)


def quantized_input(graph: Graph, name: str, hidden: str) -> tuple[str, str, str]:
    """Returns the input as uint8, its scale and its zero point."""
    scale, zero_point, smoothing = graph.ranges[name]
    if smoothing is not None:
        factors = graph.constant(f"{name}.input_factors", 1 / smoothing)
        hidden = graph.node("Mul", [hidden, factors], f"{name}.input_smooth")
    scale = graph.constant(f"{name}.input_scale", scale)
    zero_point = graph.constant(f"{name}.input_zero", zero_point)
    inputs = [hidden, scale, zero_point]
    return graph.node("QuantizeLinear", inputs, f"{name}.input"), scale, zero_point


def quantized_kernel(graph: Graph, name: str, kernel: np.ndarray) -> tuple[str, str, str]:
    """Returns the kernel as int8, with one scale and one zero point per column."""
    smoothing = graph.ranges[name].smoothing
    if smoothing is not None:
        kernel = kernel * smoothing[:, np.newaxis]
    scales = np.abs(kernel).max(axis=0) / np.float32(WEIGHT_MAX)
    # Columns of padding are all 0.
    scales[scales == 0] = 1
    return (
        graph.constant(f"{name}.kernel", np.rint(kernel / scales).astype(np.int8)),
        graph.constant(f"{name}.kernel_scale", scales),
        graph.constant(f"{name}.kernel_zero", np.zeros(len(scales), np.int8)),
    )


def norm_of_sum(graph: Graph, name: str, terms: list[str], norm: Norm) -> str:
    """
    Layer norm of the sum of two terms. It omits the original epsilon of 1e-12. No token has a variance
    near 0, so float32 would round the epsilon away.
    """
    total = graph.node("Add", terms, f"{name}.sum")
    mean = graph.node("ReduceMean", [total], f"{name}.mean", axes=[-1])
    centred = graph.node("Sub", [total, mean], f"{name}.centred")
    squared = graph.node("Mul", [centred, centred], f"{name}.squared")
    variance = graph.node("ReduceMean", [squared], f"{name}.variance", axes=[-1])
    deviation = graph.node("Sqrt", [variance], f"{name}.deviation")
    # One reciprocal per token and products are faster than one division per channel.
    factor = graph.node("Reciprocal", [deviation], f"{name}.factor")
    unit = graph.node("Mul", [centred, factor], f"{name}.unit")
    gamma = graph.constant(f"{name}.gamma", norm.gamma)
    beta = graph.constant(f"{name}.beta", norm.beta)
    scaled = graph.node("Mul", [unit, gamma], f"{name}.scaled")
    return graph.node("Add", [scaled, beta], name)


def onnx_bytes(graph: Graph, name: str, outputs_more: tuple[str, ...] = ()) -> bytes:
    outputs = [floats(VECTOR, ["texts", HIDDEN]), *(floats(name, None) for name in outputs_more)]
    return model_bytes(graph, name, [tokens("input_ids"), tokens("attention_mask")], outputs)


def answer_bytes(graph: Graph, name: str) -> bytes:
    inputs = [floats(HIDDEN_STATES, ["texts", "tokens", HIDDEN]), tokens("attention_mask")]
    return model_bytes(graph, name, inputs, [floats(ANSWER, ["texts", HIDDEN])])


def tokens(name: str):
    return helper.make_tensor_value_info(name, TensorProto.INT32, ["texts", "tokens"])


def floats(name: str, shape: list | None):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model_bytes(graph: Graph, name: str, inputs: list, outputs: list) -> bytes:
    model = helper.make_model(
        helper.make_graph(graph.nodes, name, inputs, outputs, graph.initializers),
        opset_imports=[helper.make_opsetid("", OPERATOR_SET), helper.make_opsetid(FUSED, 1)],
        ir_version=FORMAT_VERSION,
    )
    return model.SerializeToString(deterministic=True)
