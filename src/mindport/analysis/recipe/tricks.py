"""B7 and B8: named practices, each shown by an API, a setting, or a name of the project's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis.answers import Answer, Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import Setting, Settings, normal
from mindport.analysis.recipe.vocabulary import Trick
from mindport.analysis.subject import Subject, in_tests
from mindport.inference.facts import Use
from mindport.source.file import SourceFile

_OFF = ("0", "0.0", "None", "False", "false", "null", "''")
_TRAINS = re.compile(r"[Tt]rain|learner|fit$")
_MOST_QUOTES = 12


def tricks(subject: Subject, settings: Settings, follower: Follower) -> Iterator[Answer]:
    """A row for each trick that something shows, of structure first; one row for a group that shows none."""
    named = list(_names(subject))
    uses = [(file, use) for file, use in subject.uses() if use.kind not in ("type", "check")]
    for row, title, zh, group in (
        ("B7", "Structure tricks", "结构技巧", words.STRUCTURE), ("B8", "Process tricks", "训练技巧", words.PROCESS),
    ):  # fmt: skip
        found = [answer for trick in group if (answer := _trick(row, trick, subject, settings, named, uses, follower)) is not None]
        yield from found or [Answer(row, title, "not found", "none of those known by name", zh=zh)]


def _trick(
    row: str, trick: Trick, subject: Subject, settings: Settings, named: list[tuple[str, str, Quote]],
    uses: list[tuple[SourceFile, Use]], follower: Follower,
) -> Answer | None:  # fmt: skip
    shown: list[str] = []
    quotes: list[Quote] = []
    off: list[Setting] = []
    for file, use in uses:
        if row == "B7" and use.kind not in ("call", "base"):
            continue  # isinstance(m, nn.GroupNorm) in a tuple builds none
        given = _keyword(trick, use, follower, file)
        if trick.apis and use.name.startswith(trick.apis) or given:
            shown.append(given or use.name + _limit(use, follower, file))
            quotes.append(subject.quote(file, use.node))
    if trick.settings:
        for setting in settings.matching(trick.settings):
            if in_tests(setting.quote.path) or setting.kind == "document":
                continue
            if setting.kind == "parameter" and not _TRAINS.search(setting.owner):
                continue  # what a layer can be given is no choice of a run; what a trainer starts with is
            if setting.value in _OFF:
                off.append(setting)
                continue
            shown.append(f"{setting.name}={setting.value}")
            quotes.append(setting.quote)
    if trick.names:
        wanted = re.compile(trick.names)
        for name, normal_name, quote in named:
            if wanted.fullmatch(normal_name):
                shown.append(name)
                quotes.append(quote)
    if not quotes:
        asked = [s for s in off if s.kind == "argument"]
        if not asked:
            return None  # a value that is off and does nothing else is no practice of the project
        value = f"{trick.title}: off unless asked for: " + ", ".join(dict.fromkeys(f"{s.name}={s.value}" for s in asked))
        return Answer(row, trick.title, "found", value, tuple(dict.fromkeys(s.quote for s in asked))[:_MOST_QUOTES], "", trick.zh)
    shown = [f"{s.name}={s.value}" for s in off] + shown
    quotes += [s.quote for s in off]
    value = f"{trick.title}: " + ", ".join(list(dict.fromkeys(shown))[:6])
    return Answer(row, trick.title, "found", value, tuple(dict.fromkeys(quotes))[:_MOST_QUOTES], "", trick.zh)


def _keyword(trick: Trick, use: Use, follower: Follower, file: SourceFile) -> str:
    """``Trainer(precision=16)`` where a call gives a keyword of the trick, and not as what switches it off."""
    if not isinstance(use.node, ast.Call):
        return ""
    for api, keyword in trick.keywords:
        if not (use.name.endswith(api.rpartition(".")[2]) and use.name.startswith(api.partition(".")[0])):
            continue
        for given in use.node.keywords:
            if given.arg == keyword:
                text = follower.follow(file, given.value).text
                if text.strip("'\"") not in (*_OFF, "32", "32-true"):
                    return f"{use.name.rpartition('.')[2]}({keyword}={text})"
    return ""


def _limit(use: Use, follower: Follower, file: SourceFile) -> str:
    """The limit of a gradient clipping call, followed."""
    if not use.name.startswith("torch.nn.utils.clip_grad") or not isinstance(use.node, ast.Call):
        return ""
    limit = next((k.value for k in use.node.keywords if k.arg in ("max_norm", "clip_value")), use.node.args[1] if len(use.node.args) > 1 else None)
    return f"({follower.follow(file, limit).text})" if limit is not None else ""


def _names(subject: Subject) -> Iterator[tuple[str, str, Quote]]:
    """(name, normal form, place) of the project's classes, functions and what it names on self."""
    for file in subject.files:
        if in_tests(file.relative):
            continue
        for node in ast.walk(file.tree):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                yield node.name, normal(node.name), subject.quote(file, node)
