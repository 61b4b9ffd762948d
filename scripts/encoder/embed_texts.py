"""Embeds texts in batches of texts with the same number of tokens, so that nothing is padded."""

from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from bert import Encoder

TOKENS_MAX, TOKENS_PER_BATCH = 256, 4096
# The token "?". The student's questions begin with it, so it stands for the teacher's instruction.
QUESTION_MARK = 1029


def read_tokenizer(path: Path) -> Tokenizer:
    """Reads the tokenizer without the padding and truncation that its file may ask for."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    return tokenizer


def embed_texts(encoder: Encoder, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    """Returns unit vectors in the order of the texts. `encoder` may be in bfloat16."""
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    vectors = np.empty((len(texts), encoder.words.weight.shape[1]), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    start = 0
    while start < len(order):
        length = len(rows[order[start]])
        batch = order[start : start + max(1, TOKENS_PER_BATCH // length)]
        batch = [at for at in batch if len(rows[at]) == length]
        with torch.inference_mode():
            ids = torch.tensor([rows[at] for at in batch])
            vectors[batch] = encoder(ids).numpy()
        start += len(batch)
    return vectors
