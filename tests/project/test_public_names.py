"""The atlas: every public callable of torch and torchvision has a verdict in the catalog."""

from __future__ import annotations

from collections import Counter

from mindport import catalog
from mindport.inference.public import public_callables

CATALOG = catalog.load()
RUNGS = ("equivalent", "packaged", "custom operator", "community", None)  # None stands for the last


def test_the_list_covers_the_namespaces() -> None:
    owners = Counter(name.rpartition(".")[0] for name in public_callables())
    assert len(public_callables()) > 3300
    for owner, least in (("torch", 800), ("torch.Tensor", 600), ("torch.nn", 150), ("torch.nn.functional", 100), ("torch.optim", 15), ("torch.distributed", 90)):
        assert owners[owner] >= least, owner
    assert owners["torch.distributions"] > 60 and owners["torch.utils.data"] > 20 and owners["torchvision.ops"] > 30


def test_no_public_name_is_without_a_verdict() -> None:
    assert [name for name in public_callables() if not CATALOG.find(name)] == []


def test_an_absent_name_has_a_rung_and_a_reason() -> None:
    for entry in CATALOG.entries:
        if entry.kind == "absent":
            assert entry.rung in RUNGS, entry.name
            assert len(entry.why) >= 25, f"{entry.name}: {entry.why!r} tells too little"


def test_two_absent_declarations_do_not_speak_of_one_name() -> None:
    counted = Counter(name for entry in CATALOG.entries if entry.kind == "absent" for name in entry.names)
    assert [name for name, number in counted.items() if number > 1] == []
