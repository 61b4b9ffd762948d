#!/usr/bin/env python3
"""
Measures what late interaction adds to a ranking (O. Khattab and M. Zaharia, "ColBERT", 2020).

Usage: late_interaction.py ORIGIN_DIR SHARD_DIR SHARD,... SPLIT_CORPUS,QUERIES,QRELS,RUN...

ORIGIN_DIR is the unpacked package of MiniLM, SPLIT_CORPUS the output of split-corpus.mjs, and RUN that
of `verbatim eval --run`. Each of the first 20
documents of a query gets its score in the run, plus a weight times the mean over the query's tokens,
weighted by idf, of the largest cosine with a token of the document. Prints nDCG@10 for each weight:

  states   all tokens have their state in the text
  table    tokens of documents have their mean state over the shards, as a table could store it
  table64  the same in the 64 components with the most variance
  words    1 if the token is in the document, else 0
"""

import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

from bert import Encoder
from dense_ranking import Collection, ndcg_of, read_collection
from student_tokens import read_tokenizer
from token_states import mean_states, states_of_rows
from weights import read_origin

DEPTH = 20
SENTENCE_TOKENS_MAX = 96
WEIGHTS = (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
COMPONENTS = 64
# A frequent token has this weight in the choice of components, so that a few do not decide it.
COUNT_MAX = 1000

Rows = list[list[int]]


@dataclass
class Tokens:
    """Tokens of a text and their unit vectors."""

    ids: np.ndarray
    vectors: np.ndarray


def main() -> None:
    origin, folder, shards, *collections = sys.argv[1:]
    encoder = read_origin(Path(origin) / "model/model.fp16.safetensors").eval()
    tokenizer = read_tokenizer(Path(origin) / "model/tokenizer.json")
    table, counts = mean_states(encoder, Path(folder), shards.split(","))

    def read(texts: list[str]) -> Rows:
        encodings = tokenizer.encode_batch(texts)
        return [encoding.ids[:SENTENCE_TOKENS_MAX] for encoding in encodings]

    print("weight".ljust(8), *(str(weight).ljust(6) for weight in WEIGHTS), flush=True)
    for files in collections:
        split, queries, qrels, run_path = (Path(path) for path in files.split(","))
        print(split.name)
        collection = read_collection(split, queries, qrels)
        run = read_run(run_path)
        rows = read(collection.texts)
        wanted = {document for found in run.values() for document, _ in found}
        documents = tokens_of_documents(encoder, collection, rows, wanted)
        asked = tokens_of_queries(encoder, collection.queries, read)
        for name, score in scorers(table, counts, idf_of(rows, collection)).items():
            values = measure(collection, run, asked, documents, score)
            print(name.ljust(8), *(f"{value:.4f}" for value in values), flush=True)


def tokens_of_documents(
    encoder: Encoder, collection: Collection, rows: Rows, wanted: set[str]
) -> dict[str, Tokens]:
    names = [collection.documents[owner] for owner in collection.owners]
    kept = [at for at, name in enumerate(names) if name in wanted]
    parts = defaultdict(list)
    for at, vectors in zip(kept, states_of_rows(encoder, [rows[at] for at in kept]), strict=True):
        parts[names[at]].append((rows[at][1:-1], vectors[1:-1]))
    return {
        name: Tokens(
            np.concatenate([ids for ids, _ in found]), np.concatenate([own for _, own in found])
        )
        for name, found in parts.items()
    }


def tokens_of_queries(
    encoder: Encoder, queries: dict[str, str], read: Callable[[list[str]], Rows]
) -> dict[str, Tokens]:
    rows = read(list(queries.values()))
    found = zip(queries, rows, states_of_rows(encoder, rows), strict=True)
    return {query: Tokens(np.array(ids[1:-1]), vectors[1:-1]) for query, ids, vectors in found}


def idf_of(rows: Rows, collection: Collection) -> np.ndarray:
    found = defaultdict(set)
    for row, owner in zip(rows, collection.owners, strict=True):
        found[owner].update(row)
    frequency = np.zeros(65536)
    for tokens in found.values():
        frequency[list(tokens)] += 1
    return np.log1p(len(collection.documents) / (1 + frequency))


def scorers(table: np.ndarray, counts: np.ndarray, idf: np.ndarray):
    mean = (table * counts[:, None]).sum(0) / counts.sum()
    centred = np.where(counts[:, None] > 0, unit(table - mean), 0)
    spread = (centred * np.minimum(counts, COUNT_MAX)[:, None]).T @ centred
    components = np.linalg.svd(spread)[0][:, :COMPONENTS]
    small = unit(centred @ components)

    def weighted(query: Tokens, best: np.ndarray) -> float:
        weights = idf[query.ids]
        return float((weights * best).sum() / weights.sum())

    def by_table(query: Tokens, document: Tokens) -> float:
        own = unit(query.vectors - mean)
        return weighted(query, (own @ centred[np.unique(document.ids)].T).max(1))

    def by_small_table(query: Tokens, document: Tokens) -> float:
        own = unit(unit(query.vectors - mean) @ components)
        return weighted(query, (own @ small[np.unique(document.ids)].T).max(1))

    return {
        "states": lambda query, document: weighted(query, (query.vectors @ document.vectors.T).max(1)),
        "table": by_table,
        "table64": by_small_table,
        "words": lambda query, document: weighted(query, np.isin(query.ids, document.ids)),
    }


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=-1, keepdims=True))


def measure(
    collection: Collection,
    run: dict[str, list[tuple[str, float]]],
    asked: dict[str, Tokens],
    documents: dict[str, Tokens],
    score: Callable[[Tokens, Tokens], float],
) -> list[float]:
    """Returns the mean nDCG@10 for each of WEIGHTS."""
    sums = np.zeros(len(WEIGHTS))
    queries = [query for query in asked if max(collection.grades[query].values()) > 0]
    for query in queries:
        found = [name for name, _ in run[query]]
        first = np.array([value for _, value in run[query]])
        added = np.array([score(asked[query], documents[name]) for name in found])
        for at, weight in enumerate(WEIGHTS):
            order = np.argsort(-(first + weight * added), kind="stable")
            sums[at] += ndcg_of([found[place] for place in order[:10]], collection.grades[query])
    return list(sums / len(queries))


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    """Reads the first documents of each query, with their scores."""
    run: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in path.open():
        query, _, document, _, value, _ = line.split()
        if len(run[query]) < DEPTH:
            run[query].append((document, float(value)))
    return run


if __name__ == "__main__":
    main()
