"""Every entry's plainest call converts to code that parses."""

from __future__ import annotations

from mindport import catalog, targets
from mindport.report.api_card import _converted
from mindport.source.file import Unparsable


def test_every_entry_converts_to_code() -> None:
    known, target = catalog.load(), targets.load()
    broken = []
    for name in known.names():
        for entry in known.find(name):
            try:
                call, becomes, mode, why = _converted(name, entry, known, target)
            except Unparsable as error:
                broken.append((name, str(error)))
                continue
            assert call and (becomes or why) and mode
    assert not broken
