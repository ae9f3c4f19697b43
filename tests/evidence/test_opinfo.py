"""The page on OpInfo counts what the catalog and the evidence say."""

from __future__ import annotations

from collections import Counter

import msgspec

from mindport.evidence import opinfo, store
from mindport.evidence.opinfo import OpEntry, Standing


def test_every_entry_stands_in_exactly_one_place() -> None:
    told = opinfo.standings(store.load())
    assert len(told) == 702
    for standing in told:
        assert sum((bool(standing.internal), bool(standing.found), bool(standing.absent))) <= 1, standing.op.title


def test_every_internal_pattern_leaves_something_out() -> None:
    told = opinfo.standings(store.load())
    used = {standing.internal for standing in told if standing.internal}
    assert used == set(msgspec.json.decode(opinfo.INTERNAL.read_bytes(), type=dict[str, str]).values())


def test_a_refusal_or_a_difference_is_no_agreement() -> None:
    op = OpEntry("relu", "", (), ("float32",), True)
    assert Standing(op, found="torch.relu", samples=Counter({"pass": 3, "not run here": 1})).agrees
    for verdict in ("refused", "declared", "differs", "raises", "crash", "timeout"):
        assert not Standing(op, found="torch.relu", samples=Counter({"pass": 3, verdict: 1})).agrees
    assert not Standing(op, found="torch.relu", samples=Counter({"not run here": 1})).agrees
