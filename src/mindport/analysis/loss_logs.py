"""D4: losses on record: logs in the project whose lines give a loss, with the trend that they show."""

from __future__ import annotations

import re

from mindport.analysis.answers import Answer, Quote
from mindport.analysis.subject import MOST_QUOTED, Subject

_LOSS = re.compile(r"(?<![A-Za-z])((?:[a-z]+[ _/]){0,3})loss\s*[:=]?\s*\(?\s*([-+]?\d+\.\d+(?:e[-+]?\d+)?)", re.I)
#: Fewer lines than this are no record of a training run.
_FEWEST = 5


def loss_logs(subject: Subject) -> Answer:
    """The first and last loss of each log, and how many there are between them."""
    told, quotes = [], []
    for path, text in subject.texts(".log", ".txt", ".out", ".jsonl"):
        if re.search(r"requirements", path.rpartition("/")[2]):
            continue
        kinds: dict[str, list[tuple[int, float, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if m := _LOSS.search(line):
                kinds.setdefault(m[1].lower().strip(" _/"), []).append((number, float(m[2]), line))
        # the losses of training and of evaluation are no one curve
        kind = min(kinds, key=lambda name: (not re.search(r"train", name), bool(re.search(r"eval|val|test", name)), -len(kinds[name])), default="")
        found = kinds.get(kind, [])
        if len(found) >= _FEWEST:
            first, last = found[0], found[-1]
            told.append(f"{path}: {kind + ' ' if kind else ''}loss {first[1]:g} → {last[1]:g} over {len(found)} lines")
            quotes += [Quote(path, number, line.strip()[:MOST_QUOTED]) for number, _, line in (first, last)]
    if told:
        return Answer("D4", "Losses on record", "found", "; ".join(told[:6]), tuple(quotes[:12]), "mindport verify compares a run of the port with such a trend.", "损失曲线")
    return Answer("D4", "Losses on record", "not found", "no log with losses in the project", (), "Record one with the reference before porting: mindport baseline record.", "损失曲线")
