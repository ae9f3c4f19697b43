"""Names are found forwards, backwards, by part, by words; what is not found leads to the nearest."""

from __future__ import annotations

import ast

import pytest

from mindport import catalog
from mindport.analysis import foreign, other_names
from mindport.analysis.lookup import lookup, mindspore_names
from mindport.inference.public import public_callables
from mindport.inference.torchfacts import lookup as torch_lookup

CATALOG = catalog.load()


@pytest.mark.parametrize(
    ("query", "how", "expected"),
    [
        ("torch.sigmoid", "name", "torch.sigmoid"),
        ("torch.sigmoid()", "name", "torch.sigmoid"),
        ("nn.Conv2d", "part of a name", "torch.nn.Conv2d"),
        ("F.relu", "part of a name", "torch.nn.functional.relu"),
        ("Conv2d", "part of a name", "torch.nn.Conv2d"),
        ("mindspore.nn.Conv2d", "mindspore name", "torch.nn.Conv2d"),
        ("ops.sigmoid", "part of a name", "torch.sigmoid"),
    ],
)
def test_queries(query: str, how: str, expected: str) -> None:
    found = lookup(CATALOG, query)
    assert expected in found.names
    if how != "part of a name":
        assert found.how == how


def test_words_search_names_and_descriptions() -> None:
    found = lookup(CATALOG, "batch norm")
    assert found.names and all("atch" in " ".join((n, *_texts(n))) for n in found.names)


def _texts(name: str) -> list[str]:
    return [entry.module.segment(entry.node) if entry.node else entry.why for entry in CATALOG.find(name)]


@pytest.mark.parametrize("typo", ["torch.sigmiod", "torch.nn.Conv2dd", "sigmiod"])
def test_a_typo_leads_to_the_nearest_names(typo: str) -> None:
    found = lookup(CATALOG, typo)
    assert not found.names and any(near.rpartition(".")[2].lower() in ("sigmoid", "conv2d") for near in found.near)


def test_nonsense_leads_nowhere() -> None:
    for query in ("qqqqzzzz", "", "...", "(", "torch.\x00"):
        found = lookup(CATALOG, query)
        assert found.names == ()


def test_every_entry_names_only_mindspore() -> None:
    used = {entry.key: mindspore_names(entry) for entry in CATALOG.entries}
    assert all(name.startswith("mindspore.") for names in used.values() for name in names)
    assert "mindspore.nn.Conv2d" in used["torch.nn.Conv2d#Conv2d"]
    # The others are plain Python (data sets, samplers) or call other equivalents: none that writes one of MindSpore's modules.
    written = {entry.key for entry in CATALOG.entries if entry.node and any(_of_operators(part) for part in ast.walk(entry.node))}
    assert len(written) > 600 and not [key for key in written if not used[key]]


def _of_operators(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("ops", "mint")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tf.nn.softmax_cross_entropy_with_logits", "torch.nn.functional.cross_entropy"),
        ("tensorflow.concat", "torch.cat"),
        ("tf.keras.layers.Dense", "torch.nn.Linear"),
        ("np.concatenate", "torch.cat"),
        ("jnp.einsum", "torch.einsum"),
        ("paddle.nn.functional.relu", "torch.nn.functional.relu"),
        ("paddle.nn.Conv2D", "torch.nn.Conv2d"),
    ],
)
def test_names_of_other_frameworks(query: str, expected: str) -> None:
    found = lookup(CATALOG, query)
    assert found.how == "another framework's name" and found.names[0] == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("cross entropy with soft labels", "torch.nn.functional.cross_entropy"),
        ("crosss entropi", "torch.nn.functional.cross_entropy"),
        ("fully connected", "torch.nn.Linear"),
        ("softmaxx function", "torch.softmax"),
        ("join tensors", "torch.cat"),
    ],
)
def test_words_synonyms_and_typos(query: str, expected: str) -> None:
    found = lookup(CATALOG, query)
    assert found.how == "words" and expected in found.names[:6]


def test_another_spelling_leads_to_the_documented_name() -> None:
    assert lookup(CATALOG, "torch.nn.modules.conv.Conv2d").names == ("torch.nn.Conv2d",)


def test_every_alias_means_names_that_torch_has() -> None:
    wrong = {name: torch for name, torch in _aliases() if torch_lookup(torch) is None and torch not in public_callables()}
    assert wrong == {}


def _aliases() -> list[tuple[str, str]]:
    rows = foreign._table().items()
    assert len(rows) > 400
    return [(name, torch) for name, all_of_it in rows for torch in all_of_it]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ops.mean", "torch.mean"), ("ops.stop_gradient", "torch.detach"), ("mint.nn.functional.relu", "torch.nn.functional.relu"),
        ("mindspore.numpy.where", "torch.where"), ("P.ReduceMean", "torch.mean"), ("mindspore.ops.operations.Conv2D", "torch.conv2d"),
        ("im2col", "torch.nn.functional.unfold"), ("nn.TrainOneStepCell", "torch.optim.Optimizer.step"), ("torch.nn.Conv2D", "torch.nn.Conv2d"),
        (".to(device)", "torch.Tensor.to"), ("batched matrix multiplication", "torch.bmm"), ("nearest neighbour upsampling", "torch.nn.functional.interpolate"),
        ("top k", "torch.topk"), ("half precision", "torch.float16"), ("reduce_mean", "torch.mean"), ("save model weights", "torch.save"),
    ],
)  # fmt: skip
def test_the_name_meant_comes_first(query: str, expected: str) -> None:
    assert lookup(CATALOG, query).names[0] == expected


def test_every_listed_name_leads_to_a_known_one() -> None:
    listed = {name: names for name, names in other_names._table().items()}
    assert all(CATALOG.find(name) for names in listed.values() for name in names)
    assert "Conv2DTranspose" in " ".join(other_names.also_called(CATALOG, "torch.nn.ConvTranspose2d"))
