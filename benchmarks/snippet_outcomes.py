"""Judges one small program: what torch's run left beside what the converted one left, for docstring_examples.py.

Outcomes, worst first: ``SILENT`` (a variable differs and nothing had said so), ``unannounced`` (a statement raises and nothing had said
so), ``refused at run`` (the vendored module raises and says why), ``declared`` (a variable differs, and a finding of silent risk stands at a
statement that it comes from), ``announced`` (what does not run stands under a comment of convert's), ``agrees``.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

#: (relative, absolute) by dtype, as in mindport/evidence/compare.py; the others are exact.
TOLERANCES = {
    "float64": (1e-7, 1e-7), "float32": (1e-4, 1e-5), "float16": (1e-2, 1e-3), "bfloat16": (2e-2, 1e-2),
    "complex64": (1e-4, 1e-5), "complex128": (1e-7, 1e-7),
}  # fmt: skip
ORDER = ("SILENT", "crash", "unannounced", "refused at run", "declared", "announced", "agrees")
#: Texts of mindport's own in an error.
OWN = re.compile(r"mindport|was not converted")
CONSEQUENCES = ("NameError", "UnboundLocalError")


def differs(expected: Any, again: Any, found: Any) -> str:
    """What is different, "" for nothing; where torch's own second run (another seed) gives other numbers, these are not compared."""
    kind = expected[0]
    if kind in ("deep", "object", "layer"):
        return ""  # what has no numbers of its own
    if found[0] != kind:
        return f"{_told(expected)} in torch, {_told(found)} in MindSpore"
    if kind in ("tensor", "array"):
        return _arrays(expected, again, found)
    if kind in ("list", "tuple"):
        if len(expected[1]) != len(found[1]):
            return f"{len(expected[1])} values in torch, {len(found[1])} in MindSpore"
        others = again[1] if again[0] == kind and len(again[1]) == len(expected[1]) else expected[1]
        for number, (one, other, mine) in enumerate(zip(expected[1], others, found[1], strict=True)):
            if said := differs(one, other, mine):
                return f"[{number}]: {said}"
        return ""
    if kind == "dict":
        if [k for k, _ in expected[1]] != [k for k, _ in found[1]]:
            return f"keys {[k for k, _ in expected[1]][:9]} in torch, {[k for k, _ in found[1]][:9]} in MindSpore"
        others = dict(again[1]) if again[0] == kind else {}
        for (key, one), (_, mine) in zip(expected[1], found[1], strict=True):
            if said := differs(one, others.get(key, one), mine):
                return f"[{key!r}]: {said}"
        return ""
    return _values(expected, again, found)


def _values(expected: Any, again: Any, found: Any) -> str:
    one, other = expected[1], found[1]
    if type(one) is not type(other):
        return f"{_told(expected)} in torch, {_told(found)} in MindSpore"
    if isinstance(one, (float, complex)):
        if again[1] != one or one == other or (one != one and other != other):
            return ""
        return "" if abs(one - other) <= 1e-5 + 1e-4 * abs(one) else f"{one} in torch, {other} in MindSpore"
    return "" if one == other or again[1] != one else f"{one!r} in torch, {other!r} in MindSpore"


def _arrays(expected: Any, again: Any, found: Any) -> str:
    _, dtype, shape, right = expected
    if found[2] != shape and (again[0] != expected[0] or again[2] == shape):
        return f"shape {shape} in torch, {found[2]} in MindSpore"
    if found[1] != dtype:
        return f"dtype {dtype} in torch, {found[1]} in MindSpore"
    mine = found[3]
    if right.size == 0 or again[0] != expected[0] or again[2] != shape or found[2] != shape:
        return ""
    if not np.array_equal(right, again[3], equal_nan=right.dtype.kind in "fc"):
        return ""  # drawn
    if dtype not in TOLERANCES:
        wrong = right != mine
    else:
        relative, absolute = TOLERANCES[dtype]
        finite = np.abs(right[np.isfinite(right)])
        largest = float(finite.max()) if finite.size else 0.0
        absolute = max(absolute * (max(1.0, largest) if dtype in ("float16", "bfloat16") else 1.0), 5e-7 * largest if dtype == "float32" else 0.0)
        wrong = ~np.isclose(mine, right, rtol=relative, atol=absolute, equal_nan=True)
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size} values, at {list(place)} {right[place]} in torch, {mine[place]} in MindSpore"


def _told(value: Any) -> str:
    if value[0] == "tensor":
        return f"a {value[1]} tensor of shape {value[2]}"
    if value[0] == "array":
        return f"a NumPy {value[1]} array of shape {value[2]}"
    return f"{type(value[1]).__name__} {value[1]!r}"[:80] if value[0] == "value" else f"{value[0]} {value[1] if len(value) > 1 else ''}"[:80]


def _read_outside_functions(statements: list[ast.stmt], name: str) -> bool:
    """Whether a name is read where the module's own names are: one that only a training step's function reads has moved into it."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


def judge(
    source: str, converted: str, findings: list[dict[str, Any]], sides: tuple[dict[str, Any], dict[str, Any], dict[str, Any]], errors: list[dict[str, Any]]
) -> list[dict[str, str]]:
    """What is to be said about one program: a list of {"outcome", "what"}; empty where everything agrees.

    `sides`: variables of torch, of torch with another seed, of MindSpore; `errors`: of MindSpore's run.
    """
    expected, again, found = sides
    said: list[dict[str, str]] = []
    lines = converted.split("\n")
    broken: list[int] = []
    made = ast.parse(converted).body
    for error in errors:
        number = error["statement"]
        if number < 0:
            said.append({"outcome": "unannounced", "what": f"{error['name']}: {error['error']}: {error['message']}"})
            continue
        upstream = slice_of(made, number)
        if set(broken) & upstream or error["error"] in CONSEQUENCES and broken:
            broken.append(number)
            continue
        broken.append(number)
        above = lines[max(0, error["first"] - 6) : error["last"]] + lines[max(0, error["line"] - 3) : error["line"]]  # in a function, too
        marked = any("# mindport: MP" in line for line in above) or any("# mindport: MP" in c for n in upstream for c in _comments(made[n], lines))
        if marked or OWN.search(error["message"]):
            outcome = "announced"
        elif error["vendored"] and error["error"] in ("NotImplementedError", "Refused"):
            outcome = "refused at run"
        else:
            outcome = "unannounced"
        what = f"{error['error']}: {error['message']} | {lines[error['line'] - 1].strip() if error['line'] else ''}"
        said.append({"outcome": outcome, "what": what})
    own = ast.parse(source).body
    # What raised and reads no variable sets something for the whole program: what comes after it is a consequence.
    settings = any(not _variables(made[n]) - _lost(made[n]) for n in broken)
    failed = {name for number in broken for name in _lost(made[number])}
    for name, value in expected.items():
        if name in ("_", "__annotations__"):  # thrown away by convention; the text of types
            continue
        if name == "__builtins__":
            continue
        what = differs(value, again.get(name, ("missing",)), found[name]) if name in found else "missing in MindSpore"
        unread = name not in found and not (_read_outside_functions(made, name) and _read_outside_functions(own, name))
        if not what or unread or settings or name in failed or failed & _upstream_names(own, name):
            continue
        upstream = {n for place, s in enumerate(own) if name in names(s) for n in slice_of(own, place) | {place}}
        spans = [(own[n].lineno, own[n].end_lineno or 0) for n in upstream]
        told = [f for f in findings if (f["code"] == "MP103" or f["risk"] in ("silent", "loud", "blocker")) and any(a <= f["line"] <= b for a, b in spans)]
        text = "; ".join(ast.unparse(own[n]) for n in sorted(n for n, s in enumerate(own) if name in names(s)))
        outcome = "declared" if told else "SILENT" if name in found else "unannounced"
        said.append({"outcome": outcome, "what": f"{name}: {what} | {text[:200]}" + (f" | {told[0]['code']} {told[0]['message'][:120]}" if told else "")})
    return said


def worst(said: list[dict[str, str]]) -> str:
    """One word for a program."""
    return min((s["outcome"] for s in said), key=ORDER.index, default="agrees")


def names(statement: ast.stmt) -> set[str]:
    """The variables that a statement mentions."""
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} - {"torch", "nn", "F", "np", "ms", "ops", "mint", "Tensor", "drawn"}


def _bound(statement: ast.stmt) -> set[str]:
    """What a statement binds, or may change by a method or an index."""
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    roots = {n.value.id for n in ast.walk(statement) if isinstance(n, (ast.Attribute, ast.Subscript)) and isinstance(n.value, ast.Name)}
    given = {a.id for n in ast.walk(statement) if isinstance(n, ast.Call) for a in n.args if isinstance(a, ast.Name)}
    return found | ((roots | given) - {"torch", "nn", "F", "np", "ms", "ops", "mint"})


def _variables(statement: ast.stmt) -> set[str]:
    """What a statement reads, without the functions that it calls."""
    called = {id(n.func) for n in ast.walk(statement) if isinstance(n, ast.Call)}
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and id(n) not in called} & names(statement)


def _lost(statement: ast.stmt) -> set[str]:
    """What has no right value after a statement that raised: what it was to bind or to change."""
    if isinstance(statement, ast.Assign):
        return {n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return _bound(statement)


def slice_of(body: list[ast.stmt], number: int) -> set[int]:
    """The earlier statements that a statement may come from."""
    wanted, found = names(body[number]), set()
    while True:  # what was made from a tensor may be a view of it: changes come back
        new = {
            place for place in range(number) if place not in found and _bound(body[place]) & wanted
            and not isinstance(body[place], (ast.Import, ast.ImportFrom))
        }  # fmt: skip
        if not new:
            return found
        found |= new
        wanted |= {name for place in new for name in names(body[place])}


def _upstream_names(body: list[ast.stmt], name: str) -> set[str]:
    """What the statements that a variable comes from bind."""
    places = {n for place, s in enumerate(body) if name in names(s) for n in slice_of(body, place) | {place}}
    return {n for p in places for n in _bound(body[p])}


def _comments(statement: ast.stmt, lines: list[str]) -> list[str]:
    return lines[max(0, statement.lineno - 4) : statement.lineno - 1]
