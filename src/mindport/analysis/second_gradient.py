"""What the evidence says of an API's second gradient at the places of a project."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache

from mindport.analysis import torch_names
from mindport.analysis.network_run.layer_rules import SAME
from mindport.analysis.subject import Subject
from mindport.catalog import Entry
from mindport.evidence.store import Outcome
from mindport.forms import OF_WINDOWS
from mindport.inference import torchfacts
from mindport.source.defaults import defaults_of

_PYNATIVE, _GRAPH = "second gradient", "second gradient, graph"
#: From the worst on.
_ORDER = ("wrong", "no kernel", "raises", "missing", "right in part", "none in torch", "right", "not measured")
_FAILING = ("no kernel", "raises")


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
        plain, graph = _worst([p for p, _ in measured]), _worst([g for _, g in measured])
        forms = subject.catalog.find(name + OF_WINDOWS) if graph in _FAILING else []  # conversion takes it
        return plain, "right in part" if any(_asks_for_what_raises(form, call) for form in forms for call in calls) else "right" if forms else graph
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


def _asks_for_what_raises(form: Entry, call: ast.AST) -> bool:
    """Whether a call gives an argument on which it depends that the form raises."""
    if not isinstance(call, ast.Call) or form.arguments is None:
        return False
    names = [a.arg for a in [*form.arguments.posonlyargs, *form.arguments.args]]
    given = {*names[: len(call.args)], *(k.arg for k in call.keywords)} - {names[0]}
    return any(isinstance(part, ast.Name) and part.id in given for d in form.differs if d.risk == "loud" and d.when for part in ast.walk(ast.parse(d.when)))


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
        if not passed or _same_algorithm(entry, outcome, check, calls) or _same_form(entry, outcome, check, calls):
            return "no kernel" if counted.get("not run here") else "raises"
        if _other_algorithm(entry, outcome, check, failed, calls):
            return "right"
        if _numbers_alone(entry, outcome, check, failed) or _plainer(entry, outcome, check, failed, calls):
            return "right in part" if any(_asks_by_word(entry, call) for call in calls) else "right"
        return "right in part"
    if passed:
        return "right in part" if any(_asks_by_word(entry, call) for call in calls) else "right"
    return "none in torch" if counted.get("none in torch") else None


def _other_algorithm(entry: Entry, outcome: Outcome, check: str, failed: int, calls: list[ast.AST]) -> bool:
    """Whether everything that failed was asked for by a word (``padding_mode="reflect"``) that none of the calls gives."""
    texts = _failed_calls(outcome, check)
    here = [call for call in calls if isinstance(call, ast.Call)]
    if len(texts) < failed or not here or len(here) != len(calls) or entry.arguments is None:
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
    defaults = defaults_of(entry.arguments)
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
    defaults = defaults_of(entry.arguments)
    names = [a.arg for a in [*entry.arguments.posonlyargs, *entry.arguments.args]]
    shift = isinstance(call.func, ast.Attribute) and entry.names[0].startswith(torch_names.METHOD)
    given = dict(zip(names[1:] if shift or names[:1] == ["self"] else names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    return any(
        isinstance(value, ast.Constant) and isinstance(value.value, str) and name in defaults and ast.unparse(defaults[name]) != ast.unparse(value)
        for name, value in given.items()
    )


def _words(text: str, entry: Entry) -> set[str]:
    """The keywords that the failing call gives as words other than the default."""
    assert entry.arguments is not None
    defaults = defaults_of(entry.arguments)
    return {word for word, value in _strings(text, entry).items() if word not in defaults or ast.unparse(defaults[word]) != repr(value)}


def _strings(text: str, entry: Entry) -> dict[str, str]:
    """The keywords that a sample's call gives as words."""
    return {word: value.value for word, value in _sample(text, entry).items() if isinstance(value, ast.Constant) and isinstance(value.value, str)}


def _sample(text: str, entry: Entry) -> dict[str, ast.expr]:
    """Parameter → expression of a sample's call; a method's receiver is the first one."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return {}
    tails = {name.rpartition(".")[2] for name in entry.names}
    made = next((n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] in tails), None)
    return _by_parameter(made, entry) if made is not None else {}


def _by_parameter(call: ast.Call, entry: Entry) -> dict[str, ast.expr]:
    """The arguments of a call by the entry's parameters."""
    assert entry.arguments is not None
    names = [a.arg for a in [*entry.arguments.posonlyargs, *entry.arguments.args]]
    of_layer = entry.kind == "layer"
    function = isinstance(call.func, ast.Name) or re.fullmatch(r"(torch|F|nn)(\.\w+)*", ast.unparse(call.func)) is not None
    receiver = [call.func.value] if isinstance(call.func, ast.Attribute) and not function and not of_layer else []
    if of_layer and names[:1] == ["self"]:
        names = names[1:]
    return dict(zip(names, [*receiver, *call.args], strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}


def _failed_calls(outcome: Outcome, check: str) -> list[str]:
    """The calls that failed; a table keeps one of each message, so those of the other mode, which has the same samples, stand beside."""
    own = [failure.call for failure in outcome.failures if failure.check == check]
    return list(dict.fromkeys([*own, *(f.call for f in outcome.failures if f.check in (_PYNATIVE, _GRAPH))])) if own else []


def _failing(entry: Entry, outcome: Outcome, check: str) -> list[dict[str, ast.expr]]:
    return [_sample(text, entry) for text in _failed_calls(outcome, check)] if entry.arguments is not None else []


def _plainer(entry: Entry, outcome: Outcome, check: str, failed: int, calls: list[ast.AST]) -> bool:
    """Whether every call gives fewer arguments than each that failed, no other ones and none of its words: ``max(x)`` beside ``max(x, 1)``."""
    samples = _failing(entry, outcome, check)
    words = {name for sample in samples for name, value in sample.items() if isinstance(value, ast.Constant) and isinstance(value.value, str)}
    here = [_by_parameter(call, entry) for call in calls if isinstance(call, ast.Call) and not any(k.arg is None for k in call.keywords)]
    return len(samples) >= failed and len(here) == len(calls) > 0 and all(given.keys() < sample.keys() and not given.keys() & words for given in here for sample in samples)


def _numbers_alone(entry: Entry, outcome: Outcome, check: str, failed: int) -> bool:
    """Whether everything that failed was of a tensor without axes, ``torch.tensor(-8.5)``: what a network computes with has some."""
    samples = _failing(entry, outcome, check)
    return len(samples) >= failed and all(_is_number(sample) for sample in samples)


def _is_number(sample: dict[str, ast.expr]) -> bool:
    """Whether a sample's first tensor has no axes."""
    first = next(iter(sample.values()), None)
    return first is not None and re.fullmatch(r"torch\.tensor\(-?[\d.e+-]+\)|torch\.randn\(\(\)\)", ast.unparse(first)) is not None


def _same_form(entry: Entry, outcome: Outcome, check: str, calls: list[ast.AST]) -> bool:
    """Whether a call gives the arguments that a failing one gave, and more than its tensor: ``max(x, 1)`` beside ``max(x)``."""
    for sample in (_sample(f.call, entry) for f in outcome.failures if f.check == check and entry.arguments is not None):
        for call in calls:
            if isinstance(call, ast.Call) and len(sample) > 1 and not _is_number(sample) and not any(k.arg is None for k in call.keywords):
                here = _by_parameter(call, entry)
                if here.keys() == sample.keys() and not (_strings_of(here) or _strings_of(sample)):
                    return True
    return False


def _strings_of(given: dict[str, ast.expr]) -> bool:
    return any(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in given.values())


def _given(call: ast.Call, word: str, names: list[str]) -> bool:
    """Whether a call may give an argument."""
    if any(k.arg is None or k.arg == word for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return True
    return word not in names or len(call.args) > names.index(word)
