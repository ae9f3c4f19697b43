"""What the evidence says of an API's second gradient at the places of a project."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

from mindport.analysis import torch_names
from mindport.analysis.network_run.layer_rules import SAME
from mindport.analysis.subject import Subject
from mindport.catalog import Entry
from mindport.evidence.store import Outcome
from mindport.inference import torchfacts

_PYNATIVE, _GRAPH = "second gradient", "second gradient, graph"
#: From the worst on.
_ORDER = ("wrong", "no kernel", "raises", "missing", "right in part", "none in torch", "right", "not measured")


def second_gradient(subject: Subject, name: str, calls: Iterable[ast.AST] = ()) -> tuple[str | None, str | None]:
    """PyNative and graph mode, for these calls of the API; (None, None) where no tensor results."""
    calls = list(calls)
    entries = [entry for entry in subject.catalog.find(name) if entry.kind in ("function", "layer", "attribute")]
    if not entries:
        absent = subject.catalog.find(name)
        return ("missing", "missing") if absent and absent[0].kind == "absent" else (None, None)
    told = [(_said(subject, entry, _PYNATIVE, calls), _said(subject, entry, _GRAPH, calls)) for entry in entries]
    measured = [pair for pair in told if pair != (None, None)]
    if measured:
        return _worst([p for p, _ in measured]), _worst([g for _, g in measured])
    function = name.replace(torch_names.METHOD, torch_names.FUNCTION)
    if function != name and subject.catalog.find(function):
        return second_gradient(subject, function, calls)  # the method's samples are the function's
    if (computed := _function_of(name)) and subject.catalog.find(computed):
        return second_gradient(subject, computed, calls)  # a layer without parameters computes the function of its name
    unrun = any(entry.kind != "attribute" and subject.evidence is not None and subject.evidence.outcome(entry) is None for entry in entries)
    differentiable = unrun or any(_said(subject, entry, check, calls) is not None for entry in entries for check in ("gradient", "train"))
    return ("not measured", "not measured") if differentiable else (None, None)


@cache
def _function_of(name: str) -> str:
    """The function that a layer without parameters applies element by element: ``tanh`` for ``nn.Tanh``; nothing for other names."""
    layer = name.removeprefix(torch_names.LAYERS)
    if layer == name or layer not in SAME:
        return ""
    for module in (torch_names.FUNCTIONAL, torch_names.TORCH):
        for known in torchfacts.public_names():
            if known.rpartition(".")[0] + "." == module and known.rpartition(".")[2].replace("_", "") == layer.lower() and not known.endswith("_") and known.rpartition(".")[2].islower():
                return known
    return ""


def _worst(said: list[str | None]) -> str:
    known = [each for each in said if each]
    return min(known, key=_ORDER.index) if known else "not measured"


def _said(subject: Subject, entry: Entry, check: str, calls: list[ast.AST]) -> str | None:
    outcome = subject.evidence.outcome(entry) if subject.evidence is not None else None
    if outcome is None:
        return None
    counted: dict[str, int] = {}
    for verdicts in outcome.counts.get(check, {}).values():
        for verdict, count in verdicts.items():
            counted[verdict] = counted.get(verdict, 0) + count
    if not counted:
        return None
    if counted.get("differs") or counted.get("crash"):
        return "wrong"
    if counted.get("timeout"):
        return "raises"
    passed = counted.get("pass", 0) + counted.get("declared", 0)
    if failed := counted.get("raises", 0) + counted.get("not run here", 0):
        if passed and _other_algorithm(entry, outcome, check, failed, calls):
            return "right"
        if not passed or _same_algorithm(entry, outcome, check, calls):
            return "no kernel" if counted.get("not run here") else "raises"
        return "right in part"
    if passed:
        return "right in part" if any(_asks_by_word(entry, call) for call in calls) else "right"
    return "none in torch" if counted.get("none in torch") else None


def _other_algorithm(entry: Entry, outcome: Outcome, check: str, failed: int, calls: list[ast.AST]) -> bool:
    """Whether everything that failed was asked for by a word (``padding_mode="reflect"``) that none of the calls gives."""
    texts = [failure.call for failure in outcome.failures if failure.check == check]
    here = [call for call in calls if isinstance(call, ast.Call)]
    if len(texts) != failed or not here or len(here) != len(calls) or entry.arguments is None:
        return False
    names = [a.arg for a in [*entry.arguments.posonlyargs, *entry.arguments.args] if a.arg != "self"]
    for text in texts:
        words = _words(text, entry)
        if not words or any(_given(call, word, names) for word in words for call in here):
            return False
    return True


def _same_algorithm(entry: Entry, outcome: Outcome, check: str, calls: list[ast.AST]) -> bool:
    """Whether one of the calls asks, by a word or by its default, for what failed: ``mode="nearest"``."""
    if entry.arguments is None:
        return False
    defaults = _defaults(entry.arguments)
    names = [a.arg for a in [*entry.arguments.posonlyargs, *entry.arguments.args] if a.arg != "self"]
    for failure in outcome.failures:
        words = _strings(failure.call, entry) if failure.check == check else {}
        for call in calls:
            if not words or not isinstance(call, ast.Call):
                continue
            given = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
            asked = {word: given.get(word, defaults.get(word)) for word in words}
            if all(value is not None and ast.unparse(value) == repr(words[word]) for word, value in asked.items()):
                return True
    return False


def _asks_by_word(entry: Entry, call: ast.AST) -> bool:
    """Whether a call chooses by a word (``mode="reflect"``) what the samples, taken at their defaults, may not have measured."""
    if not isinstance(call, ast.Call) or entry.arguments is None:
        return False
    defaults = _defaults(entry.arguments)
    names = [a.arg for a in [*entry.arguments.posonlyargs, *entry.arguments.args]]
    shift = isinstance(call.func, ast.Attribute) and entry.names[0].startswith(torch_names.METHOD)
    given = dict(zip(names[1:] if shift or names[:1] == ["self"] else names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    return any(
        isinstance(value, ast.Constant) and isinstance(value.value, str) and name in defaults and ast.unparse(defaults[name]) != ast.unparse(value)
        for name, value in given.items()
    )


def _defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    positional = [*arguments.posonlyargs, *arguments.args]
    found = dict(zip((a.arg for a in positional[len(positional) - len(arguments.defaults) :]), arguments.defaults, strict=True))
    return found | {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None}


def _words(text: str, entry: Entry) -> set[str]:
    """The keywords that the failing call gives as words other than the default."""
    assert entry.arguments is not None
    defaults = _defaults(entry.arguments)
    return {word for word, value in _strings(text, entry).items() if word not in defaults or ast.unparse(defaults[word]) != repr(value)}


def _strings(text: str, entry: Entry) -> dict[str, str]:
    """The keywords that a sample's call gives as words."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return {}
    tails = {name.rpartition(".")[2] for name in entry.names}
    return {
        keyword.arg: keyword.value.value
        for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in tails
        for keyword in node.keywords if keyword.arg and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)
    }  # fmt: skip


def _given(call: ast.Call, word: str, names: list[str]) -> bool:
    """Whether a call may give an argument."""
    if any(k.arg is None or k.arg == word for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return True
    return word not in names or len(call.args) > names.index(word)
