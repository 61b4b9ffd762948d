#!/usr/bin/env python3
"""
Adds the weights of the probability that a quote answers to sentence-weights.json.

Usage: fit_probability.py RESULTS WEIGHTS_FILE

RESULTS is what `npm run measure -- evaluate-answers --results FILE` writes: a line for each result of each
development question. A logistic regression learns from half of the questions and is measured on the other
half, both ways, and the weights are then learned from all. Prints the expected calibration error: the mean
distance between probability and share of answers over ten groups of equal width (Naeini et al. 2015).
"""

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

FEATURES = ("relevance", "score", "share", "answer", "coverage")
GROUPS = 10
DIGITS = 4


def main() -> None:
    results, weights_file = Path(sys.argv[1]), Path(sys.argv[2])
    rows = [json.loads(line) for line in results.open()]
    features = np.array([[row[name] for name in FEATURES] for row in rows])
    answers = np.array([row["answers"] for row in rows])
    half = np.array([row["question"] for row in rows]) % 2
    probabilities = np.empty(len(rows))
    for side in (0, 1):
        model = fit(features[half != side], answers[half != side])
        probabilities[half == side] = model.predict_proba(features[half == side])[:, 1]
    print(f"expected calibration error: {calibration_error(probabilities, answers):.3f}")
    model = fit(features, answers)
    values = (model.intercept_[0], *model.coef_[0])
    weights = json.loads(weights_file.read_text())
    names = ("bias", *FEATURES)
    weights["probability"] = {n: round(float(v), DIGITS) for n, v in zip(names, values, strict=True)}
    weights_file.write_text(json.dumps(weights, indent=2) + "\n")


def fit(features: np.ndarray, answers: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=100.0, max_iter=5000).fit(features, answers)


def calibration_error(probabilities: np.ndarray, answers: np.ndarray) -> float:
    group = np.minimum((probabilities * GROUPS).astype(int), GROUPS - 1)
    gaps = [
        (group == at).mean() * abs(probabilities[group == at].mean() - answers[group == at].mean())
        for at in range(GROUPS)
        if (group == at).any()
    ]
    return float(sum(gaps))


if __name__ == "__main__":
    main()
