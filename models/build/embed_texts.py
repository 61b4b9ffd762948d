"""Embeds texts with PyTorch, for builds of an index elsewhere: on a GPU, or on many cores.

Usage: python3 embed_texts.py MODEL_FOLDER TEXTS.jsonl OUT.vectors [--device cuda] [--precision bf16]
           [--tokens-per-run 16384] [--pooling mean]

MODEL_FOLDER is one that `verbatim model add` has described (manifest.json), with its weights as
model.safetensors. TEXTS.jsonl is what `verbatim index embed --texts-out` writes: one JSON string a line.
OUT.vectors is the file that `verbatim index add --embeddings` takes (src/index/vector-file.ts). Texts that
it has are skipped, so an interrupted run goes on. Several machines may each embed a part of the lines.

Needs torch, transformers, tokenizers, safetensors, and numpy. It downloads nothing, and runs no code of
the folder.
"""

import argparse
import hashlib
import json
import os
import sqlite3
import sys
import time

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel

APPLICATION_ID = 0x56726256
COMPONENT_MAX = 32767
# Texts that are sorted by length together and stored in one transaction.
TEXTS_AT_ONCE = 8192
TABLES = (
    "CREATE TABLE made_by (model TEXT NOT NULL, dimensions INTEGER NOT NULL, sha256 TEXT NOT NULL)",
    "CREATE TABLE vectors (number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)",
    f"PRAGMA application_id = {APPLICATION_ID}",
)


def read_json(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        hint = "; run first: verbatim model add " + folder if name == "manifest.json" else ""
        sys.exit(f"{folder}: {name} is missing{hint}")


def identity_of(manifest):
    """The SHA-256 that an index records of the model, as src/text/embed/model.ts computes it."""
    files = manifest["files"]

    def hash_of(file):
        return files.get(file, {}).get("sha256")

    weights = manifest.get("weights", "model.onnx")
    fields = ("dimensions", "tokensMax", "pooling", "queryPrefix", "documentPrefix")
    identity = [manifest.get("vectorsSha256") or hash_of(weights), hash_of("tokenizer.json")]
    identity += [manifest[field] for field in fields]
    dense = manifest.get("dense")
    more = {
        "externalWeights": hash_of(weights + "_data"),
        "output": manifest.get("output"),
        "outputDimensions": manifest.get("outputDimensions"),
        "dense": dense and [[hash_of(layer["file"]), layer["activation"]] for layer in dense],
    }
    more = {name: value for name, value in more.items() if value is not None}
    whole = json.dumps(identity + ([more] if more else []), separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


class Encoder:
    """A model folder on a device."""

    def __init__(self, folder, manifest, device, precision, pooling):
        self.manifest, self.device = manifest, device
        self.pooling = pooling or manifest["pooling"]
        if self.pooling == "graph":
            sys.exit(f"{folder}: the ONNX graph pools, and this script does not; say how with --pooling")
        if not any(name.endswith(".safetensors") for name in os.listdir(folder)):
            sys.exit(f"{folder}: there is no model.safetensors, and PyTorch does not read the ONNX graph")
        kind = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}[precision]
        options = {"local_files_only": True, "trust_remote_code": False}
        config = AutoConfig.from_pretrained(folder, **options)
        model = AutoModel.from_pretrained(folder, config=config, use_safetensors=True, dtype=kind, **options)
        self.model = model.to(device).eval()
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.enable_truncation(manifest["tokensMax"])
        self.tokenizer.no_padding()
        self.padding = config.pad_token_id or 0
        self.dense = []
        for layer in manifest.get("dense", []):
            tensors = load_file(os.path.join(folder, layer["file"]), device=device)
            weight = tensors["linear.weight"].float()
            bias = tensors.get("linear.bias", torch.zeros(len(weight), device=device)).float()
            activation = torch.tanh if layer["activation"] == "tanh" else torch.nn.Identity()
            self.dense.append((weight, bias, activation))

    def tokens_of(self, texts):
        prefix = self.manifest["documentPrefix"]
        return [encoding.ids for encoding in self.tokenizer.encode_batch([prefix + text for text in texts])]

    @torch.inference_mode()
    def embed(self, rows):
        """Unit vectors of texts, given as lists of tokens."""
        longest = max(map(len, rows))
        ids = torch.tensor([row + [self.padding] * (longest - len(row)) for row in rows], device=self.device)
        lengths = torch.tensor([len(row) for row in rows], device=self.device)
        mask = (torch.arange(longest, device=self.device) < lengths[:, None]).long()
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        if self.pooling == "mean":
            vectors = (states * mask[:, :, None]).sum(1) / lengths[:, None]
        else:
            at = lengths - 1 if self.pooling == "last" else torch.zeros_like(lengths)
            vectors = states[torch.arange(len(rows), device=self.device), at]
        for weight, bias, activation in self.dense:
            vectors = activation(vectors @ weight.T + bias)
        return torch.nn.functional.normalize(vectors[:, : self.manifest["dimensions"]], dim=1).cpu()


def open_vectors(path, manifest):
    is_new = not os.path.exists(path) or os.path.getsize(path) == 0
    db = sqlite3.connect(path)
    made_by = (manifest["name"], manifest["dimensions"], identity_of(manifest))
    try:
        if is_new:
            db.execute("BEGIN")
            for statement in TABLES:
                db.execute(statement)
            db.execute("INSERT INTO made_by VALUES (?, ?, ?)", made_by)
            db.commit()
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            sys.exit(f"{path}: it is not a file of vectors")
    except sqlite3.DatabaseError as error:
        sys.exit(f"{path}: {error}")
    name, sha256 = db.execute("SELECT model, sha256 FROM made_by").fetchone()
    if sha256 != made_by[2]:
        sys.exit(f"{path}: its vectors are from the model {name} ({sha256[:12]}), not {made_by[0]}")
    return db


def hash_of(text):
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16]


def blobs_of(vectors):
    """A float32 factor, then the components as int16 in units of it."""
    factors = vectors.abs().amax(dim=1, keepdim=True) / COMPONENT_MAX
    whole = (vectors / factors.clamp_min(1e-30)).round().to(torch.int16)
    pairs = zip(factors.numpy().astype("<f4"), whole.numpy().astype("<i2"))
    return [factor.tobytes() + row.tobytes() for factor, row in pairs]


def batches_of(rows, tokens_max):
    """Places of rows, the longest first, with at most so many tokens in a batch, padding included."""
    order = sorted(range(len(rows)), key=lambda at: -len(rows[at]))
    batch = []
    for at in order:
        if batch and len(rows[batch[0]]) * (len(batch) + 1) > tokens_max:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def new_texts(path, db):
    """Lists of texts that the file of vectors does not have."""
    waiting = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                text = json.loads(line)
                assert isinstance(text, str)
            except (ValueError, AssertionError):
                sys.exit(f"{path}, line {number}: it is not a JSON string")
            key = hash_of(text)
            if key in waiting or db.execute("SELECT 1 FROM vectors WHERE hash = ?", (key,)).fetchone():
                continue
            waiting[key] = text
            if len(waiting) == TEXTS_AT_ONCE:
                yield waiting
                waiting = {}
    if waiting:
        yield waiting


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder")
    parser.add_argument("texts")
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--precision", choices=("fp32", "fp16", "bf16"), default="fp32")
    parser.add_argument("--tokens-per-run", type=int, default=16384)
    parser.add_argument("--pooling", choices=("mean", "cls", "last"))
    chosen = parser.parse_args()
    manifest = read_json(chosen.folder, "manifest.json")
    encoder = Encoder(chosen.folder, manifest, chosen.device, chosen.precision, chosen.pooling)
    db = open_vectors(chosen.out, manifest)
    started, done = time.monotonic(), 0
    for texts in new_texts(chosen.texts, db):
        keys, rows = list(texts), encoder.tokens_of(list(texts.values()))
        for batch in batches_of(rows, chosen.tokens_per_run):
            blobs = blobs_of(encoder.embed([rows[at] for at in batch]))
            named = [(keys[at], blob) for at, blob in zip(batch, blobs)]
            db.executemany("INSERT OR IGNORE INTO vectors (hash, vector) VALUES (?, ?)", named)
        db.commit()
        done += len(keys)
        rate = done / (time.monotonic() - started)
        print(f"{done} texts embedded, {rate:.0f} texts/s", file=sys.stderr, flush=True)
    db.close()
    print(json.dumps({"embedded": done, "seconds": round(time.monotonic() - started, 3), "device": chosen.device}))


if __name__ == "__main__":
    main()
