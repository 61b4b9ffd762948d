"""Makes tiny models with random weights, in the layout of model hubs, for tests.

Usage: python3 tiny_models.py OUT_DIR [--safetensors]

Needs torch, transformers, tokenizers, onnx, and onnxruntime. Each folder has the files that a hub has, and
reference.json with vectors of a few texts that transformers and PyTorch compute. It downloads nothing, and
the same versions of the packages give the same weights. --safetensors also writes the weights for PyTorch,
which embed_texts.py reads.
"""

import json
import os
import sys

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AutoModel,
    BertConfig,
    BertForSequenceClassification,
    ModernBertConfig,
    MPNetConfig,
    PreTrainedTokenizerFast,
    XLMRobertaConfig,
)

HIDDEN = 16
LAYERS = 2
HEADS = 2
VOCABULARY = 400
POSITIONS = 80
WITH_SAFETENSORS = "--safetensors" in sys.argv[2:]

# Ours: what the tokenizers are trained on, and what they embed.
TEXTS = [
    "The moon pulls the sea, and twice a day the tide rises along the shore.",
    "Twice a day the tide rises along the shore, because the moon pulls the sea.",
    "Yeast cells stop dividing when nitrogen runs out.",
    "A database keeps its keys sorted, so that a range is read in one go.",
    "Gezeiten entstehen, weil der Mond das Meer anzieht.",
    "Les mar\u00e9es montent deux fois par jour.",
    "\u6f6e\u6c50\u662f\u6708\u4eae\u5f15\u8d77\u7684\u3002",
    "p < 0.05; 95% CI, 1.1 to 1.4",
    "Tides",
]


def wordpiece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    train(tokenizer, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=special, show_progress=False))
    around(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, special


def mpnet_wordpiece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"]
    train(tokenizer, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=special, show_progress=False))
    around(tokenizer, "<s>", "</s>")
    return tokenizer, special


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    train(
        tokenizer,
        trainers.UnigramTrainer(vocab_size=VOCABULARY, special_tokens=special, unk_token="<unk>", show_progress=False),
    )
    around(tokenizer, "<s>", "</s>")
    return tokenizer, special


def byte_pairs():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    train(
        tokenizer,
        trainers.BpeTrainer(
            vocab_size=VOCABULARY, special_tokens=special, initial_alphabet=alphabet, show_progress=False
        ),
    )
    around(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, special


def train(tokenizer, trainer):
    tokenizer.train_from_iterator(TEXTS * 20, trainer)


def around(tokenizer, first, last):
    ids = [(token, tokenizer.token_to_id(token)) for token in (first, last)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", pair=f"{first} $A {last} $B:1 {last}:1", special_tokens=ids
    )


def common(tokenizer, pad):
    return {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": HIDDEN,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": 2 * HIDDEN,
        "pad_token_id": tokenizer.token_to_id(pad),
    }


class Graph(torch.nn.Module):
    """Names the inputs and the one output of a model."""

    def __init__(self, model, names, of):
        super().__init__()
        self.model, self.names, self.of = model, names, of

    def forward(self, *inputs):
        return self.of(self.model(**dict(zip(self.names, inputs))))


def export(
    folder, model, names, output="last_hidden_state", of=lambda found: found.last_hidden_state, file="model.onnx"
):
    os.makedirs(f"{folder}/onnx", exist_ok=True)
    example = tuple(torch.ones(2, 7, dtype=torch.long) for _ in names)
    axes = {name: {0: "batch", 1: "sequence"} for name in names}
    axes[output] = {0: "batch"} if output == "logits" else {0: "batch", 1: "sequence"}
    torch.onnx.export(
        Graph(model, names, of).eval(),
        example,
        f"{folder}/onnx/{file}",
        input_names=list(names),
        output_names=[output],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def write(folder, name, value):
    path = f"{folder}/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(value, file, indent=1, sort_keys=True)
        file.write("\n")


def states_of(model, tokenizer, text, names):
    encoded = tokenizer.encode(text)
    inputs = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask}
    if "token_type_ids" in names:
        inputs["token_type_ids"] = encoded.type_ids
    with torch.no_grad():
        return model(**{name: torch.tensor([ids]) for name, ids in inputs.items()}).last_hidden_state[0]


POOL = {
    "mean": ("pooling_mode_mean_tokens", lambda states: states.mean(0)),
    "cls": ("pooling_mode_cls_token", lambda states: states[0]),
    "last": ("pooling_mode_lasttoken", lambda states: states[-1]),
}


def make(out, name, config, tokenizer, special, names, pooling, dense=None, prompts=None, seed=7):
    torch.manual_seed(seed)
    model = AutoModel.from_config(config, attn_implementation="eager").eval()
    folder = f"{out}/{name}"
    export(folder, model, names)
    if WITH_SAFETENSORS:
        save_file(model.state_dict(), f"{folder}/model.safetensors", {"format": "pt"})
    config.architectures = [type(model).__name__]
    write(folder, "config.json", json.loads(config.to_json_string(use_diff=False)))
    tokenizer.save(f"{folder}/tokenizer.json")
    write(folder, "tokenizer_config.json", {"model_max_length": POSITIONS - 2, "special": special})
    write(folder, "sentence_bert_config.json", {"max_seq_length": 64, "do_lower_case": False})
    mode, pool = POOL[pooling]
    modes = {key: key == mode for key, _ in POOL.values()}
    write(folder, "1_Pooling/config.json", {"word_embedding_dimension": HIDDEN, **modes})
    kinds = ["Transformer", "Pooling"] + (["Dense"] if dense else []) + ["Normalize"]
    modules = [
        {
            "idx": at,
            "name": str(at),
            "path": "" if at == 0 else f"{at}_{kind}",
            "type": f"sentence_transformers.models.{kind}",
        }
        for at, kind in enumerate(kinds)
    ]
    write(folder, "modules.json", modules)
    layer = None
    if dense:
        layer = torch.nn.Linear(HIDDEN, dense)
        os.makedirs(f"{folder}/2_Dense")
        save_file(
            {"linear.weight": layer.weight.data, "linear.bias": layer.bias.data}, f"{folder}/2_Dense/model.safetensors"
        )
        activation = "torch.nn.modules.activation.Tanh"
        write(
            folder,
            "2_Dense/config.json",
            {"in_features": HIDDEN, "out_features": dense, "bias": True, "activation_function": activation},
        )
    if prompts:
        write(folder, "config_sentence_transformers.json", {"prompts": prompts})

    def embed(text):
        vector = pool(states_of(model, tokenizer, text, names))
        if layer is not None:
            vector = torch.tanh(layer(vector))
        return (vector / vector.norm()).tolist()

    query, document = (prompts or {}).get("query", ""), (prompts or {}).get("document", "")
    references = [
        {
            "text": text,
            "document": [round(number, 7) for number in embed(document + text)],
            "query": [round(number, 7) for number in embed(query + text)],
        }
        for text in TEXTS
    ]
    write(folder, "reference.json", references)


def make_reranker(out):
    torch.manual_seed(7)
    tokenizer, special = wordpiece()
    config = BertConfig(**common(tokenizer, "[PAD]"), max_position_embeddings=POSITIONS, num_labels=1)
    model = BertForSequenceClassification(config).eval()
    names = ("input_ids", "attention_mask", "token_type_ids")
    folder = f"{out}/bert-reranker"
    export(folder, model, names, "logits", lambda found: found.logits)
    config.architectures = [type(model).__name__]
    write(folder, "config.json", json.loads(config.to_json_string(use_diff=False)))
    tokenizer.save(f"{folder}/tokenizer.json")
    write(folder, "tokenizer_config.json", {"model_max_length": POSITIONS})
    pairs = [(TEXTS[8], text) for text in TEXTS[:4]]
    references = []
    for query, text in pairs:
        encoded = tokenizer.encode(query, text)
        inputs = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
        with torch.no_grad():
            score = model(**{name: torch.tensor([ids]) for name, ids in inputs.items()}).logits[0, 0].item()
        references.append({"query": query, "text": text, "score": round(score, 6)})
    write(folder, "reference.json", references)


def add_precisions(out, name, config, names):
    """The same weights in 16 bits, and in 8 with activations that are scaled for each run."""
    torch.manual_seed(7)
    model = AutoModel.from_config(config, attn_implementation="eager").eval()
    folder = f"{out}/{name}"
    quantize_dynamic(f"{folder}/onnx/model.onnx", f"{folder}/onnx/model_int8.onnx", weight_type=QuantType.QInt8)
    export(folder, model.half(), names, file="model_fp16.onnx")


def main(out):
    with_types = ("input_ids", "attention_mask", "token_type_ids")
    without = ("input_ids", "attention_mask")
    tokenizer, special = wordpiece()
    config = BertConfig(**common(tokenizer, "[PAD]"), max_position_embeddings=POSITIONS)
    make(out, "bert-mean", config, tokenizer, special, with_types, "mean")
    add_precisions(out, "bert-mean", config, with_types)
    config = BertConfig(**common(tokenizer, "[PAD]"), max_position_embeddings=POSITIONS)
    prompts = {"query": "search: ", "document": "text: "}
    make(out, "bert-dense", config, tokenizer, special, with_types, "mean", dense=48, prompts=prompts)
    tokenizer, special = mpnet_wordpiece()
    config = MPNetConfig(**common(tokenizer, "<pad>"), max_position_embeddings=POSITIONS)
    make(out, "mpnet-last", config, tokenizer, special, without, "last")
    tokenizer, special = unigram()
    config = XLMRobertaConfig(**common(tokenizer, "<pad>"), max_position_embeddings=POSITIONS)
    make(out, "xlm-roberta-mean", config, tokenizer, special, without, "mean", seed=1)
    tokenizer, special = byte_pairs()
    config = ModernBertConfig(
        **common(tokenizer, "[PAD]"),
        max_position_embeddings=POSITIONS,
        cls_token_id=tokenizer.token_to_id("[CLS]"),
        sep_token_id=tokenizer.token_to_id("[SEP]"),
        bos_token_id=tokenizer.token_to_id("[CLS]"),
        eos_token_id=tokenizer.token_to_id("[SEP]"),
        reference_compile=False,
    )
    make(out, "modernbert-cls", config, tokenizer, special, without, "cls")
    make_reranker(out)


if __name__ == "__main__":
    if len(sys.argv) - WITH_SAFETENSORS != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
