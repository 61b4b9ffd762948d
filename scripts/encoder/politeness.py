"""
Words that ask rather than tell. The student learns that they weigh nothing: a question in such words
has the teacher's vector of the question without them.
"""

import numpy as np
from tokenizers import Tokenizer

# What stands before and after a question. Written for this purpose.
PHRASES = (
    ("what is known about", "?"),
    ("what do we know about", "?"),
    ("what has been written about", "?"),
    ("is there any research on", "?"),
    ("are there any studies of", "?"),
    ("can you tell me about", "?"),
    ("can you find papers on", "?"),
    ("could you please help me find articles about", "?"),
    ("please give me information about", "."),
    ("please send me everything that you have on", "."),
    ("please list references on", "."),
    ("show me papers about", ""),
    ("find literature on", ""),
    ("search for", ""),
    ("look up", ""),
    ("tell me more about", "please"),
    ("information on", ""),
    ("papers on", ""),
    ("literature about", ""),
    ("references to work on", ""),
    ("any papers dealing with", "would be welcome."),
    ("articles concerning", "are wanted."),
    ("i am interested in", "."),
    ("i am looking for papers about", "."),
    ("i am searching for recent work on", "."),
    ("i want to know", "."),
    ("i want to learn about", "."),
    ("i need references for", "."),
    ("i need to find out about", "for my thesis."),
    ("i would like to read about", "."),
    ("i would like to know more about", ", thank you."),
    ("i would be grateful for any material on", "."),
    ("i would appreciate pointers to articles on", "."),
    ("i wonder what has been published about", "."),
    ("i was wondering whether anybody has studied", "."),
    ("i am a student, and my topic is", "."),
    ("i am writing a review of", ", so i need sources."),
    ("we are interested in publications about", "."),
    ("we would like to have an overview of", "."),
    ("my question is about", "."),
    ("my interest is in", ", mainly in recent results."),
    ("the subject of my search is", "."),
    ("hello, do you have something about", "?"),
    ("hi, i need some help with", "."),
    ("dear librarian, i am trying to find documents on", "."),
    ("what articles exist which deal with", "?"),
    ("which papers discuss", "?"),
    ("which authors have examined", "?"),
    ("who has worked on", "?"),
    ("give me an answer to this:", ""),
    ("here is what i want to know:", ""),
    ("explain", "to me."),
    ("", ", please"),
    ("", "? thanks in advance."),
    ("", ": any information would be useful."),
    ("", "papers"),
    ("", "literature"),
    ("", "research articles"),
)


class Politeness:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self.phrases = [
            tuple(tokenizer.encode(part, add_special_tokens=False).ids for part in phrase)
            for phrase in PHRASES
        ]

    def around(self, ids: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Puts one phrase around questions [texts, tokens], inside [CLS], the mark, and [SEP]."""
        before, after = self.phrases[draw.integers(len(self.phrases))]
        rows = len(ids)

        def columns(tokens: list[int]) -> np.ndarray:
            return np.broadcast_to(np.array(tokens, np.int64), (rows, len(tokens)))

        parts = [ids[:, :2], columns(before), ids[:, 2:-1], columns(after), ids[:, -1:]]
        return np.concatenate(parts, axis=1)
