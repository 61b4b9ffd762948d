#!/usr/bin/env python3
"""
Chooses general texts, tokenizes them, and writes them to shards: train.py holds their vectors where they
were, and term_embeddings.py takes the states of words from them.

Usage: choose_texts.py TOKENIZER OUT_DIR WORDNET_DIR SPLIT_CORPUS...

SPLIT_CORPUS is the output of split-corpus.mjs. WORDNET_DIR has the data.* files of the Debian package
wordnet-base (WordNet 3.0). Its definitions cover words that the corpora, of computer science and
physics, do not have. No text is from a test collection.

A shard is two files: NNN.tokens.npy, all token ids one after another in 16 bits, and NNN.starts.npy,
where each text starts. Every shard has the same mixture:

  sentences of 6 to 48 tokens   the first shards have shorter ones
  titles
  definitions                   "word, synonym: definition"
  fragments                     3 to 9 successive words of a sentence or title, some as a question
  pairs                         two successive sentences, up to 96 tokens

Some texts are questions. Their second token is "?".
"""

import json
import random
import re
import sys
from pathlib import Path

import numpy as np

from tokens import QUESTION_MARK, read_tokenizer

TEXTS_PER_SHARD = 50_000
SHARES = {"sentence": 0.4, "title": 0.14, "definition": 0.1, "fragment": 0.33, "pair": 0.03}
TOKENS_MIN, SENTENCE_TOKENS_MAX, PAIR_TOKENS_MAX = 4, 48, 96
# How many texts of each kind are questions.
QUESTION_SHARES = {"sentence": 0.6, "title": 0.7, "definition": 0.5, "fragment": 0.9, "pair": 0.5}
# Sentences of the first shards have at most this many tokens.
SHORT_SHARDS, SHORT_TOKENS_MAX = 24, 30
HELD_OUT = 2_000

QUESTIONS = (
    *("what is {}", "what is known about {}?", "how does {} work?", "what are the effects of {}"),
    *("does {} improve results?", "why {}?", "I am looking for papers about {}"),
    *("is there evidence that {}", "methods for {}", "{} review"),
)


def main() -> None:
    tokenizer_path, out, wordnet, *splits = (Path(argument) for argument in sys.argv[1:])
    draw = random.Random(1)
    texts = {"definition": definitions(wordnet)} | corpus_texts(splits, draw)
    for kind in texts.values():
        draw.shuffle(kind)
    tokenizer = read_tokenizer(tokenizer_path)
    out.mkdir(parents=True, exist_ok=True)
    rows = {kind: tokenized(tokenizer, kind, of_kind) for kind, of_kind in texts.items()}
    rows["sentence"] = short_first(rows["sentence"])
    for kind, of_kind in rows.items():
        mark_questions(of_kind, QUESTION_SHARES[kind], draw)
    held_out = [row for kind in rows.values() for row in take(kind, HELD_OUT // len(rows))]
    write_shard(out / "held-out", held_out)
    number = 0
    while True:
        parts = [take(rows[kind], share * TEXTS_PER_SHARD) for kind, share in SHARES.items()]
        shard = [row for part in parts for row in part]
        if len(shard) < TEXTS_PER_SHARD / 2:
            break
        draw.shuffle(shard)
        write_shard(out / f"{number:03}", shard)
        number += 1
    print(f"{number} shards")


def corpus_texts(splits: list[Path], draw: random.Random) -> dict[str, list[str]]:
    sentences, titles, pairs, fragments = [], [], [], []
    for path in splits:
        for line in path.open():
            paper = json.loads(line)
            own = paper["sentences"]
            titles.append(paper["title"])
            sentences += own
            if len(own) > 1:
                at = draw.randrange(len(own) - 1)
                pairs.append(f"{own[at]} {own[at + 1]}")
            fragments += [fragment(draw.choice([paper["title"], *own]), draw) for _ in range(4)]
    found = {"sentence": sentences, "title": titles, "pair": pairs, "fragment": fragments}
    return {kind: list(dict.fromkeys(texts)) for kind, texts in found.items()}


def fragment(text: str, draw: random.Random) -> str:
    """Returns some successive words of a text: half of them as typed, the others in a question."""
    words = text.split()
    length = draw.randint(3, 9)
    start = draw.randrange(max(1, len(words) - length))
    chosen = " ".join(words[start : start + length]).strip(".,;:()")
    return draw.choice(QUESTIONS).format(chosen) if draw.random() < 0.5 else chosen


def definitions(folder: Path) -> list[str]:
    """Reads WordNet's data files. A line is "offset file type count word id word id … | definition"."""
    found = []
    for path in sorted(folder.glob("data.*")):
        for line in path.read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            fields, _, gloss = line.partition(" | ")
            parts = fields.split()
            words = parts[4 : 4 + 2 * int(parts[3], 16) : 2]
            names = ", ".join(re.sub(r"\(\w+\)$", "", word).replace("_", " ") for word in words)
            # Examples in quotation marks follow the definition.
            meaning = gloss.partition('; "')[0].strip()
            found.append(f"{names}: {meaning}")
    return found


def tokenized(tokenizer, kind: str, texts: list[str]) -> list[list[int]]:
    most = PAIR_TOKENS_MAX if kind == "pair" else SENTENCE_TOKENS_MAX
    rows = (encoding.ids for encoding in tokenizer.encode_batch(texts))
    return [row for row in rows if TOKENS_MIN <= len(row) <= most and row[1] != QUESTION_MARK]


def mark_questions(rows: list[list[int]], share: float, draw: random.Random) -> None:
    for row in rows:
        if draw.random() < share:
            row.insert(1, QUESTION_MARK)


def short_first(rows: list[list[int]]) -> list[list[int]]:
    """Moves short sentences before the others, as many as the first shards take."""
    most = int(SHORT_SHARDS * SHARES["sentence"] * TEXTS_PER_SHARD)
    short = [row for row in rows if len(row) <= SHORT_TOKENS_MAX]
    first = short[:most]
    moved = {id(row) for row in first}
    return first + [row for row in rows if id(row) not in moved]


def take(rows: list[list[int]], count: float) -> list[list[int]]:
    taken = rows[: int(count)]
    del rows[: int(count)]
    return taken


def write_shard(path: Path, rows: list[list[int]]) -> None:
    starts = np.cumsum([0, *(len(row) for row in rows)])
    np.save(f"{path}.tokens.npy", np.concatenate([np.array(row, np.uint16) for row in rows]))
    np.save(f"{path}.starts.npy", starts)


if __name__ == "__main__":
    main()
