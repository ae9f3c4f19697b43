"""Where an entry's signature departs from torch's, as far as torch's is known to `inspect`. Imports torch."""

from __future__ import annotations

import inspect

from mindport.catalog import Entry


def departures(entry: Entry) -> list[str]:
    """Sentences on parameters that are missing, added, renamed or have another default; [] where torch's is unknown."""
    if entry.kind not in ("function", "layer") or entry.arguments is None:
        return []
    from mindport.evidence.samples import resolve

    try:
        known = inspect.signature(resolve(entry.name))
    except (TypeError, ValueError, AttributeError):
        return []
    a = entry.arguments
    if known.parameters and all(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in known.parameters.values()):
        return []
    ours = [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    theirs = [p.name for p in known.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if entry.kind == "layer":
        theirs = [name for name in theirs if name != "self"]
    found = []
    missing = [name for name in theirs if name not in ours and not name.startswith("_") and name != "self"]
    added = [name for name in ours if name not in theirs and name not in ("self", "input")]
    if missing and not a.kwarg:
        found.append(f"torch also takes {', '.join(missing)}")
    if added:
        found.append(f"torch does not take {', '.join(added)}")
    return found
