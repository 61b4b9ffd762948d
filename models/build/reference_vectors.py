#!/usr/bin/env python3
"""Computes the reference vectors for the tests of the model folder.

Usage: reference_vectors.py ENCODER_DIR OUT_FILE

ENCODER_DIR is the output of models/training/train.py. The script runs the trained encoder in float64.
It implements the encoder a second time, in plain numpy. It shares only the tokenizer with the model
folder, not the graph, the runtime or the quantization.

OUT_FILE is JSON: {"description", "texts": [{"text", "vector", "answer"}]}. Each vector has unit length,
and is stored as 384 little-endian float32 values in base64.

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

DESCRIPTION = (
    "Unit vectors of the bundled encoder in full precision, as a document and of an answer, from a "
    "forward pass in plain numpy (models/build/reference_vectors.py): 384 little-endian float32 in base64. "
    "Texts are cut at 256 tokens, as the model's manifest says."
)

# Longer than TOKENS_MAX, to test truncation.
LONG_TEXT = (
    "Coastal wetlands store carbon for centuries, protect the land behind them from storms and "
    "feed the fish on which whole regions live, and yet a third of them has been drained since "
    "1970. "
    "We followed 42 salt marshes on three continents for eleven years, half of them restored and "
    "half of them left as they were found, and measured the height of the sediment, the density "
    "of roots, the flow of methane and the number of breeding birds four times in every year. "
    "Restored marshes gained 4.2 mm of height a year (standard error 0.3), twice as much as the "
    "sea rose, while untouched marshes sank by 1.1 mm. "
    "Carbon burial reached the level of natural marshes after six years where the tide was let "
    "back in completely, and had not reached it after eleven where culverts narrowed the inflow. "
    "Methane emissions were high in the first two summers, above all in brackish water with a "
    "salinity below 18, and fell below the limit of detection once cordgrass had closed its "
    "canopy. "
    "Birds returned in a fixed order: waders in the first spring, rails in the third, and "
    "harriers only when the reeds were old enough to hide a nest. "
    "A model fitted to the first five years predicted the last six with an error of 12 percent, "
    "which is small enough to plan with. "
    "Costs varied more between countries than between methods, and the cheapest projects, which "
    "only breached a dike and waited, did no worse than those that dug channels and planted by "
    "hand. "
    "We conclude that opening the land to the full tide is the part of a restoration that "
    "matters, and that the money spent on planting would bring more if it were spent on area."
)

TEXTS = (
    "photosynthesis",
    "Why is the sky blue?",
    "gene therapy",
    "statins muscle pain",
    "Does a high-salt diet raise blood pressure in people without hypertension?",
    "Which bacteria fix nitrogen in the roots of legumes?",
    "How reliable are eyewitnesses?",
    "What limits the efficiency of perovskite solar cells?",
    "Can large language models plan?",
    "effect of early physiotherapy after hip replacement on walking speed at six months",
    "Mitochondria divide before the cell does.",
    "Wolves returned to the valley, and the willows grew back.",
    "The drug halved the risk of stroke but doubled that of serious bleeding.",
    "No association was found between coffee and atrial fibrillation (RR 0.98, 95% CI 0.91–1.06).",
    "Knocking out Bmal1 in hepatocytes abolishes the daily rhythm of bile-acid synthesis.",
    "CRISPR–Cas9 edits of the β-globin locus corrected sickling in 87 ± 5% of red cells.",
    "TNF-α, IL-1β and IFN-γ rose within 6 h (P < 0.001), whereas IL-10 did not.",
    "Superconductivity at T_c = 203 K was observed in H₃S under a pressure of 155 GPa.",
    "∇·B = 0 says that there are no magnetic monopoles.",
    "If P ≠ NP, then no NP-complete problem has a polynomial-time algorithm.",
    "The estimator is unbiased and its variance decays as O(1/n).",
    "$\\sum_{k=1}^{\\infty} k^{-2} = \\pi^2/6$",
    "2 H₂ + O₂ → 2 H₂O releases 286 kJ for each mole of water.",
    "Schrödinger's équation naïve, Ångström and Poincaré: accents are part of many names.",
    "Ο χαλκός είναι καλός αγωγός του ηλεκτρισμού.",
    "El cambio climático reduce el rendimiento del trigo en las regiones secas.",
    "光合作用将光能转化为化学能。",
    "The James Webb telescope found oxygen lines in a galaxy 13.3 billion light years away.",
    "Glacier mass loss has accelerated since 2000, and Alpine glaciers lost a tenth of their ice "
    "in two summers.",
    "Reinforcement learning from human feedback makes answers more polite, but not more accurate.",
    "Attention weights are a poor explanation of what a network has learned from its data.",
    "Pupils taught in smaller classes read better at age eight; by age fifteen the difference was "
    "gone, except among children whose parents had left school early.",
    "After the reform, employment of women with young children rose by 6 percentage points, and "
    "wages at the bottom of the distribution did not fall.",
    "Ancient DNA from 34 burials shows that the herders who reached the steppe in the third "
    "millennium BC married into farming villages rather than replacing them.",
    "In this randomised, double-blind, placebo-controlled trial, 612 adults with type 2 diabetes "
    "received the study drug or placebo once a week for 52 weeks; the primary endpoint was the "
    "change in HbA1c, which fell by 1.4 points with the drug and by 0.2 points with placebo.",
    "OBJECTIVE To find out whether screening lowers mortality. DESIGN Cohort study. SETTING 14 "
    "hospitals. PARTICIPANTS 98,450 men aged 50 to 69. RESULTS It did, by about a fifth.",
    "The  spacing\tof this text is odd ,and so is its PUNCTUATION!!! (see also: ref. [7], [9–11])",
    "https and DOIs such as 10.5555/12345678 are cut into many small pieces.",
    "Deep-sea vents host tube worms that have no gut: their bacteria oxidise hydrogen sulphide and "
    "feed them.",
    LONG_TEXT,
)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: reference_vectors.py ENCODER_DIR OUT_FILE")
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    weights = {
        name: values.astype(np.float64)
        for name, values in load_file(folder / "encoder.safetensors").items()
    }
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    # The package's file pads and truncates every text to 128 tokens.
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)

    texts = []
    for text in TEXTS:
        vectors = embed(weights, tokenizer.encode(text).ids)
        texts.append({"text": text, **{name: encoded(vector) for name, vector in vectors.items()}})
    content = {"description": DESCRIPTION, "texts": texts}
    out.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


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
