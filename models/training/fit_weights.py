#!/usr/bin/env python3
"""
Learns how much each feature of a sentence counts, by what the question asks for: the file
sentence-weights.json of a model.

Usage: fit_weights.py QUESTIONS_DIR FEATURES_DIR OUT_FILE

QUESTIONS_DIR is the output of ../questions/assemble.mjs. FEATURES_DIR has what scripts/answer-features.ts
prints for training.jsonl, scifact.jsonl, and pubmedqa.jsonl. Of the training questions, those count on
which the encoder was not trained.

The loss is the cross-entropy of a softmax over the sentences of each abstract. PubMedQA counts less: its
marked sentences are always the conclusion, which says more about its making than about questions. Prints
the share of questions whose highest sentence answers, with weights learned on the other folds: with all
features, without each, without the kinds of questions, and with the cosine of the answer alone.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import torch

from questions import is_held_out, paper_of, read_questions

FEATURES = ("answer", "coverage", "position", "positionRoot", "length", "numbers")
SOURCE_WEIGHTS = {"training": 1.0, "scifact": 1.0, "pubmedqa": 0.1}
PENALTY = 1e-2
DIGITS = 4
FOLDS = 5


def main() -> None:
    questions_dir, features_dir, out = (Path(argument) for argument in sys.argv[1:])
    rows = [row for source in SOURCE_WEIGHTS for row in read(questions_dir, features_dir, source)]
    kinds = rows[0]["all_kinds"]
    for name, columns in ablations(len(kinds)).items():
        print(f"{name:24}", shares(rows, columns), flush=True)
    parts = np.split(fit(rows), 1 + len(kinds))
    always, *by_kind = ({n: round(float(w), DIGITS) for n, w in zip(FEATURES, part)} for part in parts)
    weights = {"always": always, "kinds": dict(zip(kinds, by_kind, strict=True))}
    out.write_text(json.dumps(weights, indent=2) + "\n")


def ablations(kinds: int) -> dict[str, np.ndarray]:
    """Returns the columns of the design by what is left out. Each kind repeats the features."""
    feature = np.tile(np.arange(len(FEATURES)), 1 + kinds)
    always = np.arange(len(feature)) < len(FEATURES)
    everything = np.ones(len(feature), bool)
    left_out = {f"without {name}": feature != at for at, name in enumerate(FEATURES)}
    alone = {"answer alone": always & (feature == FEATURES.index("answer"))}
    return {"all": everything, **left_out, "without kinds": always, **alone}


def shares(rows: list[dict], columns: np.ndarray) -> dict[str, float]:
    hits: dict[str, list[bool]] = {source: [] for source in SOURCE_WEIGHTS}
    kept = [{**row, "design": row["design"][:, columns]} for row in rows]
    for fold in range(FOLDS):
        weights = fit([row for row in kept if row["fold"] != fold])
        for row in kept:
            if row["fold"] == fold:
                hits[row["source"]].append(row["marked"][np.argmax(row["design"] @ weights)])
    return {source: round(float(np.mean(found)), 3) for source, found in hits.items()}


def read(questions_dir: Path, features_dir: Path, source: str) -> list[dict]:
    """Returns the answered questions of a source, each with a row of `design` for each sentence."""
    rows = []
    with (features_dir / f"{source}.jsonl").open() as features:
        for question, line in zip(read_questions(questions_dir, source), features, strict=True):
            if not question["sentences"] or (source == "training" and not is_held_out(question)):
                continue
            described = json.loads(line)
            columns = dict(zip(described["names"], np.array(described["features"]).T, strict=True))
            plain = np.stack([columns[name] for name in FEATURES], axis=1)
            kinds = [float(kind in described["kinds"]) for kind in described["allKinds"]]
            row = {"source": source, "fold": measuring_fold(question), "all_kinds": described["allKinds"]}
            row["design"] = np.concatenate([plain, *(plain * kind for kind in kinds)], axis=1)
            row["marked"] = np.isin(np.arange(len(plain)), question["sentences"])
            rows.append(row)
    return rows


def measuring_fold(question: dict) -> int:
    return int(hashlib.sha256(paper_of(question).encode()).hexdigest()[6:10], 16) % FOLDS


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
