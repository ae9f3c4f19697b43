"""What changed between two MindSpore versions: names that came, went, or take other parameters."""

from __future__ import annotations

import msgspec

from mindport.report.api_card import signature
from mindport.targets import Target


class Change(msgspec.Struct, frozen=True):
    """One name; `old` or `new` is null where the version does not have it."""

    name: str
    old: str | None
    new: str | None


class TargetDiff(msgspec.Struct, frozen=True):
    """All changes from one version to another."""

    old: str
    new: str
    added: list[str]
    removed: list[str]
    changed: list[Change]


def diff(old: Target, new: Target) -> TargetDiff:
    """Compare two versions' tables; a signature that one of them does not know is no change."""
    before, after = set(old.names()), set(new.names())
    changed = []
    for name in sorted(before & after):
        was, now = old.get(name), new.get(name)
        assert was is not None and now is not None
        if was.parameters is not None and now.parameters is not None and was.parameters != now.parameters:
            changed.append(Change(name, signature(name, was.parameters), signature(name, now.parameters)))
    return TargetDiff(old.version, new.version, sorted(after - before), sorted(before - after), changed)
