"""What makes a finding the same finding in a later report, where lines have moved and others have gone."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from mindport.report.model import Found, Row


def fingerprints(found: Iterable[Found]) -> list[str]:
    """One of 32 hexadecimal digits and a number each, in the order given.

    It is made from the path, the code, the scope, the API and the line's text; of a finding about no API from the
    message without its numbers, which may be those of lines. The number tells apart those that are alike, in the order
    of the text: of three alike one is repaired, and the third is gone.
    """
    items = list(found)
    seen: Counter[str] = Counter()
    made: dict[int, str] = {}
    for place in sorted(range(len(items)), key=lambda n: (items[n].path, items[n].line, items[n].column, items[n].code or "")):
        item = items[place]
        parts = [item.path, item.code or ""]
        parts += [item.scope, item.api, item.text] if isinstance(item, Row) else [re.sub(r"\d+", "#", item.message), item.text]
        key = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[key] += 1
        made[place] = f"{key}:{seen[key]}"
    return [made[place] for place in range(len(items))]
