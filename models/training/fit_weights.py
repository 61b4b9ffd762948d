#!/usr/bin/env python3
"""
Learns how much each feature of a sentence counts, by what the question asks for: the file
sentence-weights.json of an encoder of answers.

Usage: fit_weights.py QUESTIONS_DIR FEATURES_DIR FOLDS_DIR OUT_FILE

QUESTIONS_DIR is the output of ../questions/assemble.mjs. FEATURES_DIR has what scripts/answer-features.mjs
prints for training.jsonl, scifact.jsonl, and pubmedqa.jsonl. FOLDS_DIR has the output of train_answers.py
for each fold: the cosines of an encoder that was trained without that fold. With those of the encoder that
was trained on everything, the weights would trust it too much.

The loss is the cross-entropy of a softmax over the sentences of each abstract. PubMedQA counts less: its
marked sentences are always the conclusion, which says more about its making than about questions. Prints
the share of questions whose highest sentence answers, with weights learned on the other folds.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch

from train_answers import FOLDS, SOURCES, fold_of, paper_of

FEATURES = ("answer", "cosine", "coverage", "position", "positionRoot", "length", "numbers", "percent")
SOURCE_WEIGHTS = {"training": 1.0, "scifact": 0.3, "pubmedqa": 0.5}
PENALTY = 3e-3
DIGITS = 4


def main() -> None:
    questions_dir, features_dir, folds_dir, out = (Path(argument) for argument in sys.argv[1:])
    cosines = read_cosines(folds_dir)
    rows = [row for source in SOURCES for row in read(questions_dir, features_dir, source, cosines)]
    kinds = rows[0]["all_kinds"]
    for source in SOURCES:
        hits = []
        for fold in range(FOLDS):
            weights = fit([row for row in rows if row["fold"] != fold])
            chosen = [row for row in rows if row["fold"] == fold and row["source"] == source]
            hits += [row["marked"][np.argmax(row["design"] @ weights)] for row in chosen]
        print(f"{source}: {np.mean(hits):.3f} of {len(hits)}")
    parts = np.split(fit(rows), 1 + len(kinds))
    always, *by_kind = ({n: round(float(w), DIGITS) for n, w in zip(FEATURES, part)} for part in parts)
    weights = {"always": always, "kinds": dict(zip(kinds, by_kind, strict=True))}
    out.write_text(json.dumps(weights, indent=2) + "\n")


def read_cosines(folder: Path) -> dict[tuple[str, str], list[float]]:
    paths = [folder / f"fold-{fold}.jsonl" for fold in range(FOLDS)]
    rows = (json.loads(line) for path in paths for line in path.open())
    return {(row["paper"], row["question"]): row["cosines"] for row in rows}


def read(questions_dir: Path, features_dir: Path, source: str, cosines: dict) -> list[dict]:
    """Returns the answered questions of a source, each with a row of `design` for each sentence."""
    rows = []
    with (questions_dir / f"{source}.jsonl").open() as questions, (
        features_dir / f"{source}.jsonl"
    ).open() as features:
        for question, described in zip(map(json.loads, questions), map(json.loads, features), strict=True):
            if not question["sentences"]:
                continue
            columns = dict(zip(described["names"], np.array(described["features"]).T, strict=True))
            columns["answer"] = np.array(cosines[paper_of(question), question["question"]])
            plain = np.stack([columns[name] for name in FEATURES], axis=1)
            kinds = [float(kind in described["kinds"]) for kind in described["allKinds"]]
            rows.append(
                {
                    "source": source,
                    "fold": fold_of(question),
                    "design": np.concatenate([plain, *(plain * kind for kind in kinds)], axis=1),
                    "marked": np.isin(np.arange(len(plain)), question["sentences"]),
                    "all_kinds": described["allKinds"],
                }
            )
    return rows


def fit(rows: list[dict]) -> np.ndarray:
    design = np.concatenate([row["design"] for row in rows])
    spread = design.std(0) + 1e-9
    owners = torch.tensor(np.repeat(np.arange(len(rows)), [len(row["marked"]) for row in rows]))
    features = torch.tensor(design / spread, dtype=torch.float32)
    marked = torch.tensor(np.concatenate([row["marked"] for row in rows]), dtype=torch.float32)
    shares = torch.tensor([SOURCE_WEIGHTS[row["source"]] for row in rows])
    weights = torch.zeros(design.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = features @ weights
        highest = torch.full((len(rows),), -torch.inf)
        highest = highest.scatter_reduce(0, owners, scores.detach(), "amax")
        odds = (scores - highest[owners]).exp()
        total = torch.zeros(len(rows)).index_add(0, owners, odds)
        right = torch.zeros(len(rows)).index_add(0, owners, odds * marked)
        missed = -(shares * (right / total).clamp_min(1e-9).log()).sum() / shares.sum()
        value = missed + PENALTY * (weights**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return weights.detach().numpy() / spread


if __name__ == "__main__":
    main()
