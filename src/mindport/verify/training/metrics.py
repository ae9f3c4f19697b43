"""Figures that a training script prints: "loss 0.31", "accuracy=0.93", "val_acc: 91.2%", "{'loss': 0.5}"."""

from __future__ import annotations

import re

_NUMBER = r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?nan|[-+]?inf"
_PRINTED = re.compile(
    rf"(?P<name>[A-Za-z][\w@/.\-]*(?: [A-Za-z][\w@]*)?)['\"]?(?:\s*[:=]\s*|\s+)(?P<value>{_NUMBER})(?P<percent>\s?%)?(?![\w.]*[A-Za-z])"
)
_OBJECT = re.compile(r"\b[A-Z]\w*\(")
#: What counts the run instead of measuring it, or depends on the machine's speed.
_COUNTERS = {
    "epoch", "epochs", "episode", "episodes", "round", "step", "steps", "iter", "iteration", "batch", "it", "s", "ms", "time", "seconds", "eta", "sec",
    "elapsed", "speed", "throughput", "samples", "lr", "seed", "rank", "gpu", "memory", "params", "parameters",
}


def figures(text: str, pattern: str | None = None) -> dict[str, list[float]]:
    """Every figure by name, in the order printed; `pattern` has the groups ``value`` and perhaps ``name``."""
    found: dict[str, list[float]] = {}
    expression = re.compile(pattern) if pattern else _PRINTED
    for line in text.splitlines():
        for match in expression.finditer(line if pattern else _without_objects(line)):
            groups = match.groupdict()
            name = (groups.get("name") or "metric").strip().lower()
            if pattern is None and (name.split()[-1] in _COUNTERS or name in _COUNTERS or "time" in name):
                continue
            try:
                value = float(groups["value"])
            except ValueError:
                continue
            found.setdefault(name.split()[-1] if pattern is None else name, []).append(value)
    return found


def _without_objects(line: str) -> str:
    """The line without what printing an object gives: "Dropout(p=0.25, inplace=False)" holds settings and no figures."""
    kept, place = "", 0
    for match in _OBJECT.finditer(line):
        if match.start() < place:
            continue
        depth, end = 1, match.end()
        while end < len(line) and depth:
            depth += {"(": 1, ")": -1}.get(line[end], 0)
            end += 1
        if "=" in line[match.end() : end]:
            kept, place = kept + line[place : match.start()], end
    return kept + line[place:]


def last(text: str, pattern: str | None = None) -> dict[str, float]:
    """The last value of every figure."""
    return {name: values[-1] for name, values in figures(text, pattern).items()}
