"""
Ranks a test collection in BEIR's form by the vectors of an encoder alone, as a check of the encoder.

A document's score is the cosine of the derived document vector plus that of its best sentence or
title, which is the dense part of the program's ranking.
"""

import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

TITLE_SHARE = 0.3
# Vectors [texts, width] of texts, in the order of the texts.
Embed = Callable[[list[str]], np.ndarray]


@dataclass
class Collection:
    """`texts` are the titles and sentences of all documents, `owners` their documents' positions."""

    documents: list[str]
    texts: list[str]
    owners: np.ndarray
    is_title: np.ndarray
    queries: dict[str, str]
    grades: dict[str, dict[str, int]]


def read_collection(split: Path, queries: Path, qrels: Path) -> Collection:
    """Reads the output of split-corpus.mjs and BEIR's queries and judgments."""
    documents, texts, owners, is_title = [], [], [], []
    for line in split.open():
        paper = json.loads(line)
        for text in [paper["title"], *paper["sentences"]]:
            if text.strip():
                texts.append(text)
                owners.append(len(documents))
                is_title.append(text is paper["title"])
        documents.append(paper["id"])
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in qrels.read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades[query][document] = int(grade)
    rows = [json.loads(line) for line in queries.open()]
    judged = {row["_id"]: row["text"] for row in rows if row["_id"] in grades}
    return Collection(
        documents, texts, np.array(owners), np.array(is_title), judged, dict(grades)
    )


def document_vectors(collection: Collection, vectors: np.ndarray) -> np.ndarray:
    """normalize(0.7 · mean of the sentences + 0.3 · title), as src/text/embed/document-vector.ts does."""
    owners, count = collection.owners, len(collection.documents)
    sums = np.zeros((count, vectors.shape[1]), np.float32)
    sentence = ~collection.is_title
    totals = np.bincount(owners[sentence], minlength=count)
    shares = np.where(
        collection.is_title, TITLE_SHARE, (1 - TITLE_SHARE) / np.maximum(1, totals[owners])
    )
    np.add.at(sums, owners, vectors * shares[:, None].astype(np.float32))
    return sums / np.maximum(1e-9, np.linalg.norm(sums, axis=1, keepdims=True))


def ndcg(collection: Collection, vectors: np.ndarray, queries: np.ndarray) -> dict[str, float]:
    """Returns the mean nDCG@10 by the document's vector, by the best text, and by both added."""
    derived = document_vectors(collection, vectors)
    sums = {"document": 0.0, "best text": 0.0, "both": 0.0}
    for query, row in zip(collection.queries, queries, strict=True):
        best = np.full(len(collection.documents), -1, np.float32)
        np.maximum.at(best, collection.owners, vectors @ row)
        document = derived @ row
        scores = {"document": document, "best text": best, "both": document + best}
        for name, values in scores.items():
            first = np.argsort(-values)[:10]
            ranked = [collection.documents[at] for at in first]
            sums[name] += ndcg_of(ranked, collection.grades[query])
    return {name: value / len(collection.queries) for name, value in sums.items()}


def ndcg_of(ranked: list[str], grades: dict[str, int]) -> float:
    ideal = gain(sorted(grades.values(), reverse=True)[:10])
    return gain([grades.get(document, 0) for document in ranked]) / ideal if ideal else 0.0


def gain(grades: list[int]) -> float:
    return sum(max(0, grade) / math.log2(rank + 2) for rank, grade in enumerate(grades))
