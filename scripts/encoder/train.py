#!/usr/bin/env python3
"""
Trains the student: it learns the teacher's vectors themselves, without labels.

Usage: train.py ORIGIN_DIR SHARD_DIR RUN_DIR [--until N] [--decay N] [--threads N]

Goes through the shards in order, and waits for the teacher's vectors, which teach.py computes beside
it. ORIGIN_DIR is the unpacked package of MiniLM. RUN_DIR gets checkpoint.pt every few minutes, from
which the same command continues, and log.jsonl, the learning curve. `--until` stops after that many
shards.

The loss is 1 - cosine to the centred vector of the teacher: normalize(vector - mean of the teacher's
vectors of documents, or of questions). bge's vectors share a large mean, and without it they rank
better. The means are those of the teacher's graph (center.py). The rate is constant after a warm-up, so
that training may go on for as long as there is time. `--decay N` lets it fall to zero over the last N
shards before `--until`. The figures and the exported weights are of the moving average of the weights.

SIGTERM and Ctrl-C write a checkpoint. The file that VERBATIM_TRAINING_PAUSE names pauses training.
"""

import argparse
import json
import math
import os
import signal
import time
from pathlib import Path

import numpy as np
import torch

from bert import Encoder, embed
from center import centred, read_centers
from pause import wait_while_paused
from politeness import Politeness
from shards import batches, read_shard, shard_names, training_plan, vectors_path
from start_map import fit_map
from student_tokens import read_tokenizer
from weights import read_origin

TOKENS_PER_BATCH = 3072
RATE, WARM_UP_STEPS, WEIGHT_DECAY, GRADIENT_NORM_MAX = 3e-4, 300, 0.01, 1.0
AVERAGE_EVERY, AVERAGE_DECAY = 4, 0.996
# The share of the batches of questions that are asked politely.
POLITE_SHARE = 0.35
CHECKPOINT_EVERY_S, REPORT_EVERY_STEPS, POLL_EVERY_S = 240, 50, 5


class Run:
    """The state of a training that a checkpoint keeps."""

    def __init__(self, student: Encoder, average: Encoder) -> None:
        self.student, self.average = student, average
        self.shard, self.batch, self.step = 0, 0, 0
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p for p in student.layers.parameters() if p.dim() > 1]},
                {
                    "params": [
                        p for n, p in student.named_parameters()
                        if p.dim() == 1 or not n.startswith("layers.")
                    ],
                    "weight_decay": 0.0,
                },
            ],
            lr=RATE, betas=(0.9, 0.99), weight_decay=WEIGHT_DECAY, fused=True,
        )  # fmt: skip

    def save(self, folder: Path) -> None:
        state = {
            "student": self.student.state_dict(), "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "at": (self.shard, self.batch, self.step),
        }  # fmt: skip
        partial = folder / "checkpoint.partial"
        torch.save(state, partial)
        os.replace(partial, folder / "checkpoint.pt")

    def load(self, folder: Path) -> None:
        state = torch.load(folder / "checkpoint.pt")
        self.student.load_state_dict(state["student"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.shard, self.batch, self.step = state["at"]


def main() -> None:
    options = read_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    options.run.mkdir(parents=True, exist_ok=True)
    names = shard_names(options.shards)[: options.until]
    for name in ("held-out", names[0]):
        wait_for_vectors(options.shards, name)
    centers = read_centers()
    weights = options.origin / "model/model.fp16.safetensors"
    run = Run(read_origin(weights), read_origin(weights))
    politeness = Politeness(read_tokenizer(options.origin / "model/tokenizer.json"))
    if (options.run / "checkpoint.pt").exists():
        run.load(options.run)
        print(f"continues in shard {run.shard}, step {run.step}", flush=True)
    else:
        fit_map(run.student, options.shards, names[0], centers)
        run.average.load_state_dict(run.student.state_dict())
        report_held_out(run, options, centers)
    stop = stop_signal()
    while run.shard < len(names):
        wait_for_vectors(options.shards, names[run.shard], stop)
        if stop["asked"]:
            return
        train_shard(run, options, centers, politeness, stop)
        run.save(options.run)
        if stop["asked"]:
            return
        report_held_out(run, options, centers)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ("origin", "shards", "run"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--until", type=int)
    parser.add_argument("--decay", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def wait_for_vectors(folder: Path, name: str, stop: dict[str, bool]) -> None:
    while not vectors_path(folder, name).exists() and not stop["asked"]:
        time.sleep(POLL_EVERY_S)


def stop_signal() -> dict[str, bool]:
    stop = {"asked": False}

    def ask(*_) -> None:
        stop["asked"] = True

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    return stop


def train_shard(
    run: Run,
    options: argparse.Namespace,
    centers: np.ndarray,
    politeness: Politeness,
    stop: dict[str, bool],
) -> None:
    names = shard_names(options.shards)[: options.until]
    shard = read_shard(options.shards, names[run.shard])
    vectors = np.load(vectors_path(options.shards, shard.name))
    targets = centred(vectors, shard.are_questions, centers)
    plan = training_plan(shard, TOKENS_PER_BATCH, np.random.default_rng(run.shard))
    losses, texts, saved_s = [], 0, time.monotonic()
    started_s = saved_s
    while run.batch < len(plan):
        wait_while_paused()
        rows = plan[run.batch]
        set_rate(run, options.decay, len(names), run.batch / len(plan))
        draw = np.random.default_rng(run.step)
        ids = shard.ids(rows)
        if shard.are_questions[rows[0]] and draw.random() < POLITE_SHARE:
            ids = politeness.around(ids, draw)
        losses.append(train_batch(run, ids, targets[rows]))
        texts += len(rows)
        run.batch, run.step = run.batch + 1, run.step + 1
        if run.step % REPORT_EVERY_STEPS == 0:
            rate = texts / (time.monotonic() - started_s)
            left_s = (len(shard.lengths) * (1 - run.batch / len(plan))) / rate
            loss = float(np.mean(losses[-REPORT_EVERY_STEPS:]))
            print(
                f"shard {run.shard + 1}/{len(names)}, batch {run.batch}/{len(plan)}: "
                f"loss {loss:.4f}, {rate:.0f} texts/s, {left_s / 60:.0f} min left in the shard",
                flush=True,
            )
        if stop["asked"]:
            return
        if time.monotonic() - saved_s > CHECKPOINT_EVERY_S:
            run.save(options.run)
            saved_s = time.monotonic()
    run.shard, run.batch = run.shard + 1, 0
    log(options.run, {"shard": run.shard, "step": run.step, "loss": round(float(np.mean(losses)), 5)})


def set_rate(run: Run, decay: int, shards: int, share: float) -> None:
    warm = min(1.0, (run.step + 1) / WARM_UP_STEPS)
    left = shards - run.shard - share
    cool = min(1.0, left / decay) if decay else 1.0
    for group in run.optimizer.param_groups:
        group["lr"] = RATE * warm * cool


def train_batch(run: Run, ids: np.ndarray, targets: np.ndarray) -> float:
    with torch.autocast("cpu", torch.bfloat16):
        vectors = run.student(torch.from_numpy(ids))
    loss = (1 - (vectors * torch.from_numpy(targets)).sum(1)).mean()
    run.optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(run.student.parameters(), GRADIENT_NORM_MAX)
    run.optimizer.step()
    if run.step % AVERAGE_EVERY == 0:
        # A short memory at the start, when the weights change fast.
        decay = min(AVERAGE_DECAY, (run.step + 1) / (run.step + 40))
        with torch.no_grad():
            pairs = zip(run.average.parameters(), run.student.parameters(), strict=True)
            for average, current in pairs:
                average.lerp_(current, 1 - decay)
    return loss.item()


def report_held_out(run: Run, options: argparse.Namespace, centers: np.ndarray) -> None:
    """Logs the mean cosine to the teacher on the held-out shard, for documents and for questions."""
    shard = read_shard(options.shards, "held-out")
    questions = shard.are_questions
    targets = centred(np.load(vectors_path(options.shards, "held-out")), questions, centers)
    cosines = np.empty(len(targets))
    for rows in batches(shard.lengths, TOKENS_PER_BATCH):
        vectors = embed(run.average, torch.from_numpy(shard.ids(rows))).numpy()
        cosines[rows] = (vectors * targets[rows]).sum(1)
    entry = {
        "shard": run.shard, "step": run.step,
        "documents": round(float(cosines[~questions].mean()), 4),
        "questions": round(float(cosines[questions].mean()), 4),
        "tenth": round(float(np.quantile(cosines, 0.1)), 4),
    }  # fmt: skip
    print(f"held out: {entry}", flush=True)
    if math.isnan(entry["documents"]):
        raise SystemExit("the weights are not finite")
    log(options.run, entry)


def log(folder: Path, entry: dict) -> None:
    with (folder / "log.jsonl").open("a") as file:
        file.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
