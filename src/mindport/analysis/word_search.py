"""Finds torch names by words: parts of the name, what the entry says of itself, synonyms, and words with a typo."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from mindport.analysis import torch_names
from mindport.catalog import Catalog, Entry

#: Words that say nothing about an API.
_EMPTY = frozenset(["the", "and", "for", "with", "from", "into", "over", "how", "what", "that", "this", "does", "torch", "pytorch", "function", "layer", "tensor", "of", "to", "in", "on", "a", "an", "is", "by", "do", "i", "my", "via", "using", "use"])
#: Words of one meaning: the ones that torch's names use stand with the ones that people use.
_SYNONYMS = tuple(
    frozenset(line.split()) for line in (
        "concat concatenate cat join append", "max maximum amax largest", "min minimum amin smallest", "mean average avg",
        "multiply multiplication mul product times", "divide div quotient", "subtract sub minus difference", "add plus", "power pow exponent",
        "clip clamp limit bound", "absolute abs magnitude", "transpose permute swapaxes swap", "reshape view", "resize interpolate upsample upsampling scale",
        "convolution conv", "deconvolution transposed conv_transpose", "fc dense linear fullyconnected affine", "batchnorm bn batch",
        "layernorm ln", "normalization normalisation norm normalize batchnorm", "loss criterion cost", "label labels target targets class",
        "lookup embedding", "lstm recurrent rnn gru", "shuffle randperm permutation", "random rand randn sample uniform normal", "gaussian normal",
        "dice coin bernoulli", "cumulative cum cumsum cumprod", "inverse inv", "determinant det", "eigenvalue eigen eig eigh eigvals",
        "sort order argsort", "topk top", "unique distinct", "index indices gather take select", "scatter put", "mask masked", "copy clone",
        "cast convert dtype to type", "gradient grad derivative backward", "jacobian jacrev jacfwd", "hessian second", "freeze requires_grad detach",
        "schedule scheduler lr learning", "warmup linearlr", "optimizer optim optimiser", "decay regularization", "softmax probabilities logits",
        "sigmoid logistic", "entropy crossentropy ce nll", "binary bce", "kl divergence kldiv", "l1 mae", "l2 mse squared", "huber smooth",
        "cosine cos similarity", "attention sdpa multihead", "transformer encoder decoder", "pad padding", "crop narrow slice", "flip reverse",
        "zeros zero", "ones one", "identity eye", "range arange linspace", "diagonal diag", "triangular tril triu", "outer ger", "inner dot",
        "matmul mm bmm matrix", "einsum contraction", "fourier fft", "window hann hamming", "spectrogram stft", "round rounding", "nan isnan",
        "finite isfinite infinite", "count nonzero bincount", "histogram histc bincount", "checkpoint recompute save load", "seed manual_seed",
        "load read", "save write", "dataloader loader batches dataset", "initialise initialize init initialization", "xavier glorot",
        "kaiming he", "dropout drop", "bilinear interpolate", "nms suppression", "roi region", "quantile percentile median", "std deviation var variance",
        "equal eq same compare", "greater gt", "less lt", "where condition conditional", "repeat tile", "expand broadcast", "split chunk", "stack pile",
        "squeeze remove", "unsqueeze expand_dims newaxis", "device cuda gpu", "parallel distributed", "reduce allreduce", "compile jit script trace",
        "hook callback", "buffer register", "parameter parameters weight weights",
    )
)  # fmt: skip
#: Phrases whose words stand in no name.
PHRASES: dict[str, tuple[str, ...]] = {
    "soft label": ("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss"),
    "label smoothing": ("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss"),
    "class weight": ("torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss"),
    "exponential moving average": ("torch.optim.swa_utils.AveragedModel", "torch.lerp"),
    "ema": ("torch.optim.swa_utils.AveragedModel",),
    "fully connected": ("torch.nn.Linear", "torch.nn.functional.linear"),
    "element wise": ("torch.mul",),
    "weight sharing": ("torch.nn.Module.register_parameter",),
    "global average pool": ("torch.nn.AdaptiveAvgPool2d", "torch.nn.functional.adaptive_avg_pool2d"),
    "global pooling": ("torch.nn.AdaptiveAvgPool2d", "torch.nn.AdaptiveMaxPool2d"),
    "depthwise": ("torch.nn.Conv2d", "torch.nn.functional.conv2d"),
    "dilated convolution": ("torch.nn.Conv2d",),
    "pixel shuffle": ("torch.nn.PixelShuffle",),
    "self attention": ("torch.nn.MultiheadAttention", "torch.nn.functional.scaled_dot_product_attention"),
    "mixed precision": ("torch.autocast", "torch.amp.GradScaler"),
    "loss scaling": ("torch.amp.GradScaler",),
    "gradient clipping": ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_"),
    "weight decay": ("torch.optim.AdamW",),
    "gradient checkpointing": ("torch.utils.checkpoint.checkpoint",),
    "stop gradient": ("torch.Tensor.detach", "torch.no_grad"),
    "one hot": ("torch.nn.functional.one_hot",),
    "moving average": ("torch.optim.swa_utils.AveragedModel", "torch.nn.functional.avg_pool1d"),
    "list of layers": ("torch.nn.ModuleList", "torch.nn.Sequential"),
    "number of parameters": ("torch.nn.Module.parameters", "torch.Tensor.numel"),
    "batch matrix": ("torch.bmm", "torch.matmul"),
    "batch matrix multiply": ("torch.bmm", "torch.matmul"),
    "batch matrix multiplication": ("torch.bmm", "torch.matmul"),
    "matrix multiply": ("torch.matmul", "torch.mm", "torch.bmm"),
    "matrix multiplication": ("torch.matmul", "torch.mm", "torch.bmm"),
    "batch matmul": ("torch.bmm", "torch.matmul"),
    "random seed": ("torch.manual_seed",),
    "half precision": ("torch.float16", "torch.Tensor.half", "torch.nn.Module.half", "torch.autocast"),
    "freeze": ("torch.nn.Module.requires_grad_", "torch.Tensor.requires_grad_", "torch.Tensor.requires_grad"),
    "positional encoding": ("torch.nn.Embedding", "torch.sin"),
    "position embedding": ("torch.nn.Embedding",),
    "save model": ("torch.save", "torch.nn.Module.state_dict"),
    "save weight": ("torch.save", "torch.nn.Module.state_dict"),
    "save checkpoint": ("torch.save", "torch.nn.Module.state_dict"),
    "load model": ("torch.load", "torch.nn.Module.load_state_dict"),
    "load weight": ("torch.load", "torch.nn.Module.load_state_dict"),
    "load checkpoint": ("torch.load", "torch.nn.Module.load_state_dict"),
    "learning rate warmup": ("torch.optim.lr_scheduler.LinearLR", "torch.optim.lr_scheduler.LambdaLR", "torch.optim.lr_scheduler.SequentialLR"),
    "data augmentation": ("torchvision.transforms.Compose",),
    "nearest neighbour": ("torch.nn.functional.interpolate", "torch.nn.UpsamplingNearest2d"),
    "nearest neighbor": ("torch.nn.functional.interpolate", "torch.nn.UpsamplingNearest2d"),
    "learning rate": ("torch.optim.lr_scheduler.LRScheduler", "torch.optim.lr_scheduler.StepLR"),
}
_TYPO = 0.8


@dataclass(frozen=True)
class _Described:
    name: str
    tokens: tuple[str, ...]
    last: frozenset[str]
    text: frozenset[str]
    handicap: float


def by_words(catalog: Catalog, query: str, most: int, typos: bool = True) -> tuple[str, ...]:
    """Names that fit the words of a query, best first; only where no name fits them all do names with fewer count.

    `typos`: a word that nobody uses stands for the nearest that somebody does.
    """
    wanted = [word for word in _words(query) if word not in _EMPTY]
    if not wanted:
        return ()
    index, vocabulary = _index(catalog)
    meant = [_meanings(word, vocabulary, typos) for word in wanted]
    scored: list[tuple[float, int, str]] = []
    for each in index:
        points = [_points(each, meanings) for meanings in meant]
        hit = sum(1 for one in points if one)
        if hit:
            unasked = len(each.tokens) - len({t for t in each.tokens if any(t in m for m in meant)})
            scored.append((sum(points) - 0.7 * unasked - each.handicap, hit, each.name))
    stems = " " + " ".join(map(_stem, wanted)) + " "
    phrased = [
        name for phrase, names in sorted(PHRASES.items(), key=lambda one: -len(one[0]))
        if " " + " ".join(_stem(w) for w in _words(phrase) if w not in _EMPTY) + " " in stems for name in names if catalog.find(name)
    ]  # fmt: skip
    phrased = [*_joined(catalog, query), *phrased]
    most_hits = max((hit for _, hit, _ in scored), default=0)
    if most_hits * 2 < len(wanted) + 1 and not phrased:
        return ()
    # A name that has all the words comes before one that a phrase suggests, which comes before partial fits.
    fits = [name for _, hit, name in sorted(scored, key=lambda one: (-one[0], one[2])) if hit == most_hits]
    ordered = fits + phrased if most_hits == len(wanted) and not phrased else phrased + fits
    return tuple(dict.fromkeys(ordered))[:most]


def _points(each: _Described, meanings: dict[str, float]) -> float:
    best = 0.0
    for word, weight in meanings.items():
        if word in each.last:
            best = max(best, 4 * weight)
        elif any(word in token and len(word) > 3 for token in each.last):
            best = max(best, 3 * weight)
        elif word in each.tokens:
            best = max(best, 2 * weight)
        elif word in each.text:
            best = max(best, 1.5 * weight)
    return best


def _meanings(word: str, vocabulary: frozenset[str], typos: bool) -> dict[str, float]:
    """The word, its stem, its synonyms, and where nobody uses any of them the nearest words that somebody uses."""
    found = {word: 1.0}
    stem = _stem(word)
    if len(stem) > 2:
        found.setdefault(stem, 0.95)
    for group in _SYNONYMS:
        if word in group or stem in group:
            found.update({other: 0.8 for other in group if other not in found})
    if typos and word not in vocabulary and stem not in vocabulary and len(found) <= 2:
        found.update({near: 0.7 for near in get_close_matches(word, vocabulary, 3, _TYPO)})
    return found


def _stem(word: str) -> str:
    return re.sub(r"(ies|ing|ed|es|s)$", "", word)


def synonyms(word: str) -> frozenset[str]:
    """The words of the same meaning, the word itself among them where there are any."""
    return frozenset(other for group in _SYNONYMS if word in group for other in group)


def _joined(catalog: Catalog, query: str) -> list[str]:
    """Names whose last part is the whole query without its spaces: "top k", "soft max"."""
    wanted = re.sub(r"[\s_-]+", "", query.lower())
    found = [name for name in catalog.names() if name.rpartition(".")[2].lower().replace("_", "") == wanted]
    return sorted(found, key=lambda name: (name.startswith(torch_names.METHOD), name.count("."), name))


def _words(text: str) -> list[str]:
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return [word for word in re.findall(r"[a-z]+|\d+[a-z]*", apart.lower().replace("_", " ")) if len(word) > 1]


@lru_cache(maxsize=2)
def _index(catalog: Catalog) -> tuple[tuple[_Described, ...], frozenset[str]]:
    described = []
    vocabulary: set[str] = set()
    for name in catalog.names():
        tokens = tuple(_words(name.partition(".")[2]))
        tail = name.rpartition(".")[2]
        last = frozenset((*_words(tail), tail.lower()))
        entries = catalog.find(name)
        text = frozenset(word for entry in entries if entry.kind != "absent" for word in _words(description(entry)))
        # Of names that fit alike, functions and layers come before methods, and what exists before what does not.
        handicap = 3.0 * (entries[0].kind == "absent") + 2.0 * name.startswith(torch_names.RETURN_TYPES) + 0.5 * name.startswith(torch_names.METHOD)
        described.append(_Described(name, tokens, last, text, handicap))
        vocabulary.update(tokens, last)
    return tuple(described), frozenset(vocabulary)


def description(entry: Entry) -> str:
    """What an entry says of itself, without the addresses of pages."""
    return re.sub(r"https?://\S+", "", (ast.get_docstring(entry.node) or "") if entry.node else "")
