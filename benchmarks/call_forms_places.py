"""Where a drawn call stands: a function, a loop, a decorator, a closure … For call_forms_program.py.

Each place is a function of the call's text and of the names of its tensors that gives the lines after which `result` holds what was computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Place = Callable[[str, list[str]], list[str]]


def _signature(names: list[str], *before: str) -> str:
    return ", ".join([*before, *names])


def _through(call: str, names: list[str], form: str) -> str:
    """The call with each tensor's name put into `form` (``held.{}``)."""
    return re.sub(r"(?<![\w.\"'])(x\d+)\b(?!\s*=[^=])", lambda found: form.format(found[1]) if found[1] in names else found[1], call)


def _module(call: str, names: list[str]) -> list[str]:
    return [f"result = {call}"]


def _function(call: str, names: list[str]) -> list[str]:
    given = _signature(names)
    return [f"def compute({given}):", f"    return {call}", "", f"result = compute({given})"]


def _annotated(call: str, names: list[str]) -> list[str]:
    typed = ", ".join(f"{n}: torch.Tensor" for n in names)
    return [f"def compute({typed}):", f"    out = {call}", "    return out", "", f"result = compute({_signature(names)})"]


def _forward(call: str, names: list[str]) -> list[str]:
    return [
        "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", "        self.scale = 1", "",
        f"    def forward({_signature(names, 'self')}):", f"        return {call}", "", "net = Net()", f"result = net({_signature(names)})",
    ]  # fmt: skip


def _method(call: str, names: list[str]) -> list[str]:
    return ["class Helper:", f"    def run({_signature(names, 'self')}):", f"        y = {call}", "        return y", "", f"result = Helper().run({_signature(names)})"]


def _loop(call: str, names: list[str]) -> list[str]:
    return ["for step in range(2):", f"    result = {call}"]


def _comprehension(call: str, names: list[str]) -> list[str]:
    return [f"results = [{call} for _ in range(2)]", "result = results[-1]"]


def _lambda(call: str, names: list[str]) -> list[str]:
    return [f"compute = lambda {_signature(names)}: {call}", f"result = compute({_signature(names)})"]


def _closure(call: str, names: list[str]) -> list[str]:
    return ["def outer():", "    def inner():", f"        return {call}", "    return inner()", "", "result = outer()"]


def _condition(call: str, names: list[str]) -> list[str]:
    return ["flag = len(str(1)) == 1", f"result = {call} if flag else None"]


def _while(call: str, names: list[str]) -> list[str]:
    return ["step = 0", "while step < 2:", f"    result = {call}", "    step += 1"]


def _walrus(call: str, names: list[str]) -> list[str]:
    return [f"if (result := {call}) is not None:", "    seen = True"]


def _walrus_loop(call: str, names: list[str]) -> list[str]:
    return ["left = 2", f"while (left := left - 1) >= 0 and (result := {call}) is not None:", "    continue"]


def _try(call: str, names: list[str]) -> list[str]:
    return ["try:", f"    result = {call}", "except KeyError:", "    result = None", "finally:", "    done = True"]


def _nonlocal(call: str, names: list[str]) -> list[str]:
    return [
        f"def outer({_signature(names)}):", "    found = None", "", "    def inner():", "        nonlocal found", f"        found = {call}", "",
        "    inner()", "    return found", "", f"result = outer({_signature(names)})",
    ]  # fmt: skip


def _generator(call: str, names: list[str]) -> list[str]:
    return [f"results = list({call} for _ in range(2))", "result = results[0]"]


def _yielding(call: str, names: list[str]) -> list[str]:
    return [f"def values({_signature(names)}):", f"    yield {call}", "", f"result = next(values({_signature(names)}))"]


def _defaults(call: str, names: list[str]) -> list[str]:
    return [f"def compute({', '.join(f'{n}={n}' for n in names)}):", f"    return {call}", "", "result = compute()"]


def _keyword_only(call: str, names: list[str]) -> list[str]:
    star = ["*", *names] if names else []
    return [f"def compute({', '.join(star)}):", f"    return {call}", "", f"result = compute({', '.join(f'{n}={n}' for n in reversed(names))})"]


def _decorated(call: str, names: list[str]) -> list[str]:
    given = _signature(names)
    return [
        "import functools", "", "def logged(function):", "    @functools.wraps(function)", "    def inner(*args, **kwargs):",
        '        inner.seen = f"{function.__name__} of {len(args)}"', "        return function(*args, **kwargs)", "    return inner", "",
        "@logged", f"def compute({given}):", f"    return {call}", "", f"result = compute({given})",
    ]  # fmt: skip


def _dataclass(call: str, names: list[str]) -> list[str]:
    fields = [f"    {n}: torch.Tensor" for n in names] or ["    nothing: int = 0"]
    inside = _through(call, names, "self.{}")
    return [
        "from dataclasses import dataclass", "", "@dataclass", "class Batch:", *fields, "", "    def computed(self):", f"        return {inside}", "",
        f"result = Batch({_signature(names)}).computed()",
    ]  # fmt: skip


def _named_tuple(call: str, names: list[str]) -> list[str]:
    if not names:
        return _module(call, names)
    return ["from collections import namedtuple", f'Batch = namedtuple("Batch", {names!r})', f"batch = Batch({_signature(names)})", f"result = {_through(call, names, 'batch.{}')}"]


def _property(call: str, names: list[str]) -> list[str]:
    return [
        "class Holder:", f"    def __init__({_signature(names, 'self')}):", *(f"        self.{n} = {n}" for n in names), "        self.count = 0", "",
        "    @property", "    def value(self):", f"        return {_through(call, names, 'self.{}')}", "", f"result = Holder({_signature(names)}).value",
    ]  # fmt: skip


def _static(call: str, names: list[str]) -> list[str]:
    return ["class Helper:", "    @staticmethod", f"    def run({_signature(names)}):", f"        return {call}", "", f"result = Helper.run({_signature(names)})"]


def _inherited(call: str, names: list[str]) -> list[str]:
    return [
        "class Base(nn.Module):", f"    def forward({_signature(names, 'self')}):", f"        return {call}", "",
        "class Net(Base):", f"    def forward({_signature(names, 'self')}):", f"        out = super().forward({_signature(names)})", "        return out", "",
        f"result = Net()({_signature(names)})",
    ]  # fmt: skip


def _mapped(call: str, names: list[str]) -> list[str]:
    if not names:
        return _generator(call, names)
    return [f"result = list(map(lambda {names[0]}: {call}, [{names[0]}, {names[0]}]))[-1]"]


def _reduced(call: str, names: list[str]) -> list[str]:
    return ["import functools", f"result = functools.reduce(lambda total, _: {call}, range(2), None)"]


def _table(call: str, names: list[str]) -> list[str]:
    return [f'table = {{"one": lambda {_signature(names)}: {call}, "two": None}}', f'result = table["one"]({_signature(names)})']


def _collected(call: str, names: list[str]) -> list[str]:
    lines = [f"    {_signature(names)}{',' if len(names) == 1 else ''} = tensors"] if names else []
    return ["def compute(*tensors, **options):", '    options.setdefault("seen", [str(len(tensors))])', *lines, f"    return {call}", "", f"result = compute({_signature(names)})"]


def _logged(call: str, names: list[str]) -> list[str]:
    shown = ", ".join(f"tuple({n}.shape), {n}.dtype" for n in names) or "1"
    return ["log = []", f"def compute({_signature(names)}):", f'    log.append("%s" % str([{shown}]))', f"    return {call}", "", f"result = compute({_signature(names)})"]


def _context(call: str, names: list[str]) -> list[str]:
    return ["import contextlib", "with contextlib.nullcontext() as nothing:", f"    result = {call}"]


def _match(call: str, names: list[str]) -> list[str]:
    return ['kind = "one"', "match kind:", '    case "one":', f"        result = {call}", "    case _:", "        result = None"]


def _starred(call: str, names: list[str]) -> list[str]:
    return [f"first, *rest = [{call}, 1, 2]", "result = first"]


def _chained_names(call: str, names: list[str]) -> list[str]:
    return [f"kept = result = {call}"]


def _late_import(call: str, names: list[str]) -> list[str]:
    return [
        f"def compute({_signature(names)}):", "    try:", "        import torch.nn.functional as F", "    except ImportError:", "        F = None", f"    return {call}", "",
        f"result = compute({_signature(names)})",
    ]  # fmt: skip


def _early_return(call: str, names: list[str]) -> list[str]:
    return [f"def compute(flag, {_signature(names)}):", "    if not flag:", "        return None", f"    return {call}", "", f"result = compute(True, {_signature(names)})"]


def _recursive(call: str, names: list[str]) -> list[str]:
    given = _signature(names)
    return [f"def compute(depth, {given}):", "    if depth > 0:", f"        return compute(depth - 1, {given})", f"    return {call}", "", f"result = compute(2, {given})"]


PLACES: dict[str, Place] = {
    "module": _module, "function": _function, "annotated function": _annotated, "forward": _forward, "method": _method, "loop": _loop,
    "comprehension": _comprehension, "lambda": _lambda, "closure": _closure, "condition": _condition, "while": _while, "walrus": _walrus,
    "walrus in a loop": _walrus_loop, "try": _try, "nonlocal": _nonlocal, "generator": _generator, "yield": _yielding, "defaults": _defaults,
    "keyword only": _keyword_only, "decorated": _decorated, "dataclass": _dataclass, "named tuple": _named_tuple, "property": _property,
    "static method": _static, "inherited": _inherited, "map": _mapped, "reduce": _reduced, "table": _table, "*args": _collected,
    "logged": _logged, "with": _context, "match": _match, "starred": _starred, "two names": _chained_names, "late import": _late_import,
    "early return": _early_return, "recursion": _recursive,
}  # fmt: skip
