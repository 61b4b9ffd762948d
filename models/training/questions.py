"""Reads what ../questions/assemble.mjs wrote."""

import hashlib
import json
from pathlib import Path

HELD_OUT_OF = 5


def read_questions(folder: Path, source: str) -> list[dict]:
    with (folder / f"{source}.jsonl").open() as lines:
        return [json.loads(line) for line in lines]


def paper_of(question: dict) -> str:
    return f"{question['corpus']}:{question['id']}"


def fold_of(question: dict) -> int:
    """All questions about a paper are in one fold."""
    return int(hashlib.sha256(paper_of(question).encode()).hexdigest()[2:6], 16) % HELD_OUT_OF


def is_held_out(question: dict) -> bool:
    """
    The encoder is not trained on these, and the weights of the features are learned from them: on what the
    encoder was trained on, they would trust it too much.
    """
    return fold_of(question) == HELD_OUT_OF - 1
