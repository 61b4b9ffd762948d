"""How the student reads a text: MiniLM's tokenizer, and a mark in front of questions."""

from pathlib import Path

from tokenizers import Tokenizer

TOKENS_MAX = 256
# The token "?". The student's questions begin with it, so it stands for the teacher's instruction.
QUESTION_MARK = 1029


def read_tokenizer(path: Path) -> Tokenizer:
    """Reads the tokenizer without the padding and truncation that its file may ask for."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    return tokenizer
