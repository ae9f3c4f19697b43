"""B1: what changes samples at random: library transforms, the project's own, names in configurations, and what is written out by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.blocks import NAMING, Block
from mindport.analysis.recipe.calls import definitions
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.drawn_changes import drawn_changes
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.rows import row, unique
from mindport.analysis.recipe.settings import Settings, normal
from mindport.analysis.subject import Subject
from mindport.inference import values as v

_MOST_SHOWN = 24
#: What applies a class to a sample.
_APPLIES = ("__call__", "forward", "__getitem__", "transform", "apply")
#: A list of augmentations, by its name.
_LIST = re.compile(r"(.*_)?aug(ment(ation|er|or)?)?s?(_(list|fns?|ops|pipeline|transforms?))?")
#: A class that applies something at random, by its name: RandomGain, and no RandomSampler.
_RANDOM = re.compile(r"rand(om)?_(?!sampl|search|forest|agent|polic|walk|variable|seed|state|split|generator|number|weight|init|shuffle|subset|batch|project|feature|actor|fourier).+")
#: A file of augmentations, where a module is no part of the network.
#: What else is called after an augmentation: networks and their cells, and the settings of a program.
_OF_A_NETWORK, _OF_SETTINGS = re.compile(r"(^|_)(cell|net|cnn|network|model|block|head)s?$"), re.compile(r"_(config|options|parser|args|settings)$")
_OF_DATA = re.compile(r"aug|transform|data|preproc")
_NOT_SAID = ("None", "[]", "()", "''", "null", "{}", "")


def augmentation(subject: Subject, settings: Settings, written_blocks: Sequence[Block], conditions: Conditions) -> Answer:
    """The row, with what settings leave out told apart."""
    names: dict[str, Quote] = {}
    asked: dict[str, Quote] = {}
    used = list(subject.uses(*words.AUGMENTATIONS))
    for file, use in [each for each in used if not file_evaluates(str(each[0].relative))] or used:
        short = use.name.rpartition(".")[2]
        if use.kind in ("call", "value") and short not in words.PREPARATIONS and not short.isupper() and (short[0].isupper() or short.startswith(("create_", "dropout_"))):
            off = conditions.off(file, use.node)
            (asked if off else names).setdefault(f"{short} ({off})" if off else short, subject.quote(file, use.node))
    pattern = re.compile(words.AUGMENTATION_NAMES)
    empty = _left_empty(settings)
    written = subject.written_names
    for file, node in definitions(subject):
        if subject.aside(file.relative) or not (written is None or node.name in written) or evaluates(node.name):
            continue
        layer = any(a == torch_names.MODULE for a in subject.facts[file].ancestors.get(node, ())) if isinstance(node, ast.ClassDef) else False
        if pattern.fullmatch(normal(node.name)) and not (layer and _OF_A_NETWORK.search(normal(node.name))) and not _OF_SETTINGS.search(normal(node.name)) and _changes_data(node) or _random_class(node) and (not layer or _OF_DATA.search(file.relative.stem)):
            calls = [conditions.off(home, call) for home, call in conditions.follower.calls_of(node.name) if not subject.in_self_test(home, call)]
            off = calls[0] if calls and all(calls) else next((text for attribute, text in empty.items() if f".{attribute}" in file.text), "")
            (asked if off else names).setdefault(f"{node.name} ({off})" if off else node.name, subject.quote(file, node))
    for text, off, quote in _listed(subject, conditions):
        (asked if off else names).setdefault(f"{text} ({off})" if off else text, quote)
    for text, quote in _asked_for(subject):
        names.setdefault(text, quote)
    for text, quote in _configured(written_blocks):
        names.setdefault(text, quote)
    for text, quote in drawn_changes(subject):
        if text.rpartition(" ")[2] not in names:
            names.setdefault(text, quote)
    chosen = [s for s in settings.matching(words.AUGMENTATION_SETTINGS) if s.kind in ("file", "argument", "field", "attribute") and s.value not in _NOT_SAID]
    values = list(names) + unique(f"{s.name}={s.short}" for s in chosen if s.name not in names)
    if asked and not any(text.partition(" (")[0] in names for text in asked):
        values.append("off unless asked for: " + ", ".join(asked))
    return row("B1", "Data augmentation", "数据增强", ", ".join(values[:_MOST_SHOWN]), [*names.values(), *asked.values(), *(s.quote for s in chosen)])


def _left_empty(settings: Settings) -> dict[str, str]:
    """Settings called after augmentation that every configuration file leaves empty, as name → ``augment={}``: what asks for them changes nothing."""
    found = [s for s in settings.matching(_LIST.pattern) if s.kind == "file"]
    given = {normal(s.under) for s in settings.matching(r".*") if s.kind == "file" and s.under} | {normal(s.name) for s in found if s.value not in _NOT_SAID}
    return {s.name: f"{s.name}={s.short}" for s in found if normal(s.name) not in given}


def _changes_data(node: ast.ClassDef | ast.FunctionDef) -> bool:
    """Whether what is called an augmentation draws or hands on to what does: ``_augment_time_step`` adds fields to a record."""
    return isinstance(node, ast.ClassDef) or bool(re.search(words.DRAWS_DATA, _words_in(node)))


def _words_in(node: ast.AST) -> str:
    return " ".join(
        inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else inner.arg if isinstance(inner, ast.arg) else ""
        for inner in ast.walk(node)
    ).lower()  # fmt: skip


def _random_class(node: ast.ClassDef | ast.FunctionDef) -> bool:
    if not isinstance(node, ast.ClassDef) or not _RANDOM.fullmatch(normal(node.name)):
        return False
    applies = any(isinstance(method, ast.FunctionDef) and method.name in _APPLIES for method in node.body)
    return applies and bool(re.search(r"rand|prob|choice|uniform", _words_in(node)))


def _listed(subject: Subject, conditions: Conditions) -> Iterator[tuple[str, str, Quote]]:
    """(name, the setting that leaves it out, place) of the project's objects that lists called so get: ``augments.append(Remix())``."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for node in file.nodes:
            items: list[ast.expr] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and _called_so(node.func.value):
                items = node.args
            elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Tuple)) and any(_called_so(target) for target in node.targets):
                items = node.value.elts
            for item in items:
                made = [o for o in v.options(known.value(item)) if isinstance(o, v.ProjectInstance)] if isinstance(item, ast.Call) else []
                if made:
                    yield made[0].cls.scope.name, conditions.off(file, item), subject.quote(file, item)


def _asked_for(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """``augment=True`` that files that train give a data set of the project."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative) or not subject.programs.trains(file):
            continue
        for node in file.nodes:
            told = next((k for k in node.keywords if k.arg and _LIST.fullmatch(normal(k.arg))), None) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and told is not None and isinstance(told.value, ast.Constant) and told.value.value is True:
                made = [o.scope.name for o in v.options(known.value(node.func)) if isinstance(o, v.ProjectClass)]
                called = made[0] if made else ast.unparse(node.func).rpartition(".")[2]
                yield f"{told.arg}=True of {called}", subject.quote(file, node)


def _called_so(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return bool(name) and bool(_LIST.fullmatch(normal(name)))


def _configured(written: Sequence[Block]) -> Iterator[tuple[str, Quote]]:
    """Transforms that a configuration names: ``dict(type="RandomRotation", …)``, but for those of validation."""
    pattern = re.compile(words.COMPONENT_AUGMENTATIONS)
    for block in written:
        for key in NAMING:
            if key in block.entries and not evaluates(block.name) and not evaluates(block.under):
                text, quote = block.entries[key]
                name = text.strip().strip("\"'").rpartition(".")[2]
                if pattern.fullmatch(normal(name)):
                    yield name, quote
