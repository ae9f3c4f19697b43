"""mindport api: forwards, backwards, by words, and with a typo."""

from __future__ import annotations

import json

import pytest

from mindport import catalog
from tests.cli.commands import Ran


def test_both_signatures_body_and_evidence() -> None:
    ran = Ran("api", "torch.nn.Conv2d")
    flat = " ".join(ran.out.split())
    assert ran.code == 0
    assert "torch.nn.Conv2d(in_channels, out_channels, kernel_size, stride=1" in flat
    assert "mindspore.nn.Conv2d(in_channels, out_channels, kernel_size, stride=1, pad_mode='same'" in flat
    assert "has_bias=True" in flat and "class Conv2d(nn.Conv2d)" in flat and "evidence" in flat


def test_backwards_and_words() -> None:
    assert "torch.nn.Conv2d" in Ran("api", "mindspore.nn.Conv2d").out
    assert "torch.nn.BatchNorm2d" in Ran("api", "batch", "norm").out


def test_a_typo_gets_the_nearest_names() -> None:
    ran = Ran("api", "torch.sigmiod")
    assert ran.code == 2 and "torch.sigmoid" in ran.err


def test_an_unknown_version_names_the_known() -> None:
    ran = Ran("api", "torch.sigmoid", "--mindspore", "1.0")
    assert ran.code == 2 and "2.10.0" in ran.err


def test_json() -> None:
    (card,) = json.loads(Ran("api", "torch.sigmoid", "--format", "json").out)
    entry = card["entries"][0]
    assert card["name"] == "torch.sigmoid" and entry["becomes"] == "ops.sigmoid(input)"
    assert entry["mindspore"][0]["signature"].startswith("mindspore.ops.sigmoid(")


@pytest.mark.parametrize("name", catalog.load().names()[::40])
def test_every_name_has_a_card(name: str) -> None:
    (card,) = json.loads(Ran("api", name, "--format", "json").out)
    for entry in card["entries"]:
        assert entry["mode"] in ("same", "renamed", "inlined", "vendored", "constant", "absent", "unconverted", "removed"), entry
        assert entry["becomes"] or entry["why"] or entry["mode"] == "removed"


def test_a_mindspore_name_that_no_equivalent_uses_is_told_all_the_same() -> None:
    ran = Ran("api", "mindspore.nn.thor")
    assert ran.code == 0 and "no PyTorch name's equivalent" in ran.out and "Ascend" in ran.out
    assert json.loads(Ran("api", "mindspore.nn.thor", "--format", "json").out)["used_by"] == []


def test_another_device_rests_on_the_documentation() -> None:
    (card,) = json.loads(Ran("api", "torch.sigmoid", "--device", "ascend", "--format", "json").out)
    assert card["device"] == "ascend" and card["entries"][0]["evidence"] == "documented"
    assert Ran("api", "torch.sigmoid", "--device", "tpu").code == 2


def test_another_frameworks_name() -> None:
    assert "torch.nn.functional.cross_entropy" in Ran("api", "tf.nn.softmax_cross_entropy_with_logits").out
