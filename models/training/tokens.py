"""How the encoder reads a text."""

from pathlib import Path

from tokenizers import Tokenizer

TOKENS_MAX = 256
# The token "?". It stands in front of some texts of the shards, which are questions.
QUESTION_MARK = 1029


def read_tokenizer(path: Path) -> Tokenizer:
    """Reads the tokenizer without the padding and truncation that its file may ask for."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    return tokenizer
