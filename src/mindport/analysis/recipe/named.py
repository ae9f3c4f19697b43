"""Optimizers and schedules that a configuration names: ``type: SGD``, ``_target_: torch.optim.Adam``, and tables of classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from mindport.analysis.answers import Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.blocks import Block
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import Settings, normal
from mindport.analysis.subject import Subject
from mindport.inference import torchfacts

_NAMING = ("_target_", "class_path", "class_name", "type", "name", "policy", "cls", "func", "target", "optimizer", "scheduler", "lr_scheduler")
#: Longer blocks are no list of an optimizer's arguments.
_MOST_ENTRIES = 24


def named_optimizers(written: Sequence[Block], follower: Follower, dotted: bool) -> Iterator[tuple[str, list[Quote]]]:
    """(text, places) of blocks that name an optimizer; `dotted`: by its full name alone, which cannot mean another thing."""
    yield from _named(written, follower, words.OPTIMIZERS[:1], r".*optim.*|opt|.*_opt|opt_.*", words.OPTIMIZER_ENTRIES, dotted)


def named_schedules(written: Sequence[Block], follower: Follower) -> Iterator[tuple[str, list[Quote]]]:
    """(text, places) of blocks that name a schedule of the learning rate."""
    yield from _named(written, follower, words.SCHEDULERS[:1], r".*sched.*|lr_config|lr_policy|param_scheduler", r".*", False)


def _named(
    written: Sequence[Block], follower: Follower, packages: tuple[str, ...], holders: str, entries: str, dotted: bool
) -> Iterator[tuple[str, list[Quote]]]:
    bases = {"optimizer", "lrscheduler", "_lrscheduler"}
    known = {name.rpartition(".")[2].lower() for name in torchfacts.public_names() if name.rpartition(".")[0] + "." == packages[0] and name.rpartition(".")[2][:1].isupper()} - bases
    holder = re.compile(holders)
    wanted = re.compile(entries)
    seen: set[str] = set()
    for block in written:
        naming = _naming(block, packages, known | words.NAMED_ELSEWHERE, bool(holder.fullmatch(normal(block.name))) and not dotted)
        if naming is None or len(block.entries) > _MOST_ENTRIES:
            continue
        name, quote = naming
        shown, quotes = [name], [quote]
        for key, (text, place) in block.entries.items():
            if key not in _NAMING and not key.startswith("_") and wanted.fullmatch(normal(key)) and text.strip().strip("\"'") not in ("", "auto", "null", "None"):
                followed = follower.follow(*block.written[key]) if key in block.written else None
                shown.append(f"{key}={followed.text if followed is not None and followed.known else text.strip()}")
                quotes += [place, *(followed.quotes[:2] if followed is not None else ())]
        value = ", ".join(shown)
        if value not in seen:
            seen.add(value)
            yield value, quotes


def _naming(block: Block, packages: tuple[str, ...], known: set[str], holds: bool) -> tuple[str, Quote] | None:
    for key in _NAMING:
        if key in block.entries:
            text, quote = block.entries[key]
            if key in block.written and not _says(block.written[key][1]):
                continue
            text = text.strip().strip("\"'")
            last = text.rpartition(".")[2]
            if text.startswith(packages) and last[:1].isupper() and last.lower() in known or holds and re.fullmatch(r"[\w.]+", text) and last.lower().replace("_", "") in known:
                return last, quote
    return None


def _says(node: ast.expr) -> bool:
    """Whether an expression of Python is a name that is written out: a string, or a class."""
    last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) or last[:1].isupper()


def table_of_optimizers(subject: Subject) -> tuple[list[str], list[Quote]]:
    """Classes that stand in the code without being called: a table of which a name chooses one."""
    names: list[str] = []
    quotes: list[Quote] = []
    for file, use in subject.uses(words.OPTIMIZERS[0]):
        short = use.name.rpartition(".")[2]
        if not subject.aside(file.relative) and use.kind == "value" and short[:1].isupper() and not use.name.startswith(words.SCHEDULERS) and short not in ("Optimizer", *names):
            names.append(short)
            quotes.append(subject.quote(file, use.node))
    return names, quotes


def beside(settings: Settings, owner: str) -> Iterator[tuple[str, Quote]]:
    """What the class or file that names the optimizer says about it: ``weight_decay=0.0`` of the same arguments."""
    for setting in settings.matching(words.OPTIMIZER_ENTRIES):
        if setting.owner == owner and setting.value != "None":
            yield f"{setting.name}={setting.short}", setting.quote
