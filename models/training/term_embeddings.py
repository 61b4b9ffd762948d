#!/usr/bin/env python3
"""
Writes what the late interaction of a search needs, for ../build/build_model.py.

Usage: term_embeddings.py ENCODER_DIR SHARD_DIR SHARD,...

ENCODER_DIR is the output of models/training/train.py. The documents of the shards are embedded, and each
word gets the mean of its tokens' last states, as unit vectors. ENCODER_DIR/terms gets:

  token-projection.npz  `mean`, the mean state of a word, and `components` [WIDTH, COMPONENTS], the
                        directions in which terms differ most
  term-embeddings.bin   the mean state of each index term, less `mean`, in `components`, at unit length

term-embeddings.bin is little-endian: uint32 terms, uint32 components, float32 scale; then the terms as
uint32 in ascending order; then their embeddings as int8, to be multiplied with the scale.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from bert import WIDTH, Encoder
from shards import batches, read_shard
from tokens import read_tokenizer
from weights import read_trained

COMPONENTS = 64
# A term in fewer places has no reliable mean.
COUNT_MIN = 5
# A frequent term has this weight in the choice of components, so that a few do not decide it.
COUNT_MAX = 1000
INT8_MAX = 127
TOKENS_PER_BATCH = 1024
TERMS_OF_WORDS = Path(__file__).with_name("terms-of-words.mjs")


def main() -> None:
    trained, folder, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].split(",")
    out = trained / "terms"
    out.mkdir(exist_ok=True)
    encoder = read_trained(trained / "encoder.safetensors").eval()
    tokenizer = read_tokenizer(trained / "tokenizer.json")
    pieces = [tokenizer.id_to_token(at) for at in range(tokenizer.get_vocab_size())]
    sums, counts = word_states(encoder, folder, names, pieces)
    terms, sums, counts = of_terms(sums, counts)
    print(f"{len(terms)} terms in {counts.sum()} places")

    mean = sums.sum(0) / counts.sum()
    centred = unit(sums / counts[:, None] - mean)
    spread = (centred * np.minimum(counts, COUNT_MAX)[:, None]).T @ centred
    components = np.linalg.svd(spread)[0][:, :COMPONENTS].astype(np.float32)
    projection = {"mean": mean.astype(np.float32), "components": components}
    np.savez(out / "token-projection.npz", **projection)

    embeddings = unit(centred @ components)
    scale = np.abs(embeddings).max() / INT8_MAX
    with (out / "term-embeddings.bin").open("wb") as file:
        np.array(embeddings.shape, "<u4").tofile(file)
        np.array([scale], "<f4").tofile(file)
        terms.astype("<u4").tofile(file)
        np.rint(embeddings / scale).astype(np.int8).tofile(file)


def word_states(encoder, folder: Path, names: list[str], pieces: list[str]):
    """Returns the sum of the states of each word, and the number of its places."""
    sums: dict[str, np.ndarray] = {}
    counts: dict[str, int] = defaultdict(int)
    for ids, vectors in documents(encoder, folder, names):
        for row, states in zip(ids, vectors, strict=True):
            for word, state in words_of(row, states, pieces):
                sums[word] = sums.get(word, 0) + state
                counts[word] += 1
    return sums, counts


def states(encoder: Encoder, ids: np.ndarray) -> np.ndarray:
    """Returns unit vectors [texts, tokens, WIDTH] of texts with the same number of tokens."""
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        hidden = encoder.states(torch.from_numpy(ids)).float()
    return torch.nn.functional.normalize(hidden, dim=-1).numpy()


def documents(encoder: Encoder, folder: Path, names: list[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields token ids [texts, tokens] and states [texts, tokens, WIDTH] of documents, without [CLS] and [SEP]."""
    for name in names:
        shard = read_shard(folder, name)
        rows = np.flatnonzero(~shard.are_questions)
        for batch in batches(shard.lengths[rows], TOKENS_PER_BATCH):
            ids = shard.ids(rows[batch])
            yield ids[:, 1:-1], states(encoder, ids)[:, 1:-1]


def words_of(row: np.ndarray, vectors: np.ndarray, pieces: list[str]):
    """Yields the words of a text. A token that begins with "##" goes on with the word before it."""
    tokens = [pieces[at] for at in row]
    start = 0
    while start < len(tokens):
        end = start + 1
        while end < len(tokens) and tokens[end].startswith("##"):
            end += 1
        word = "".join(token.removeprefix("##") for token in tokens[start:end])
        if word.isalnum():
            yield word, vectors[start:end].mean(0)
        start = end


def of_terms(sums: dict[str, np.ndarray], counts: dict[str, int]):
    """Joins the words of each term. Returns terms in ascending order, sums of states, and counts."""
    words = list(sums)
    command = ["node", str(TERMS_OF_WORDS)]
    printed = subprocess.run(
        command, input="".join(f"{word}\n" for word in words), capture_output=True, text=True, check=True
    ).stdout.split("\n")[: len(words)]
    joined: dict[int, tuple[np.ndarray, int]] = {}
    for word, term in zip(words, printed, strict=True):
        if term:
            state, count = joined.get(int(term), (0, 0))
            joined[int(term)] = (state + sums[word], count + counts[word])
    kept = sorted(term for term, (_, count) in joined.items() if count >= COUNT_MIN)
    states = np.stack([joined[term][0] for term in kept])
    return np.array(kept), states, np.array([joined[term][1] for term in kept])


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=-1, keepdims=True))


if __name__ == "__main__":
    main()
