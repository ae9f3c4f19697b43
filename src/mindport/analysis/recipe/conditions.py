"""Branches that the project's settings decide: what stands under ``if args.remix:`` runs only where somebody asks for it."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile

#: What holds a run's settings.
_HOLDER = re.compile(r"(.*_)?(args|opts?|options|flags|hparams|hps|params|cfg|conf|config|settings)")
#: What asks for a device is no choice of a practice.
_DEVICE = re.compile(r"(use_?|no_?)?(cuda|gpus?|cpu|mps|device)(_ids)?")
_FALSE = frozenset(("False", "false", "null", "None", "0", "0.0", "0.", "no", "off", ""))
_EMPTY = ("[]", "()", "{}")
#: Methods that give a setting's text in another form.
_FORMS = ("lower", "upper", "strip")
#: A line and a column.
_Place = tuple[int, int]


class Conditions:
    """Says of a place whether the settings leave it out, and which one does."""

    def __init__(self, subject: Subject, follower: Follower) -> None:
        self.subject, self.follower = subject, follower
        self._branches: dict[SourceFile, list[tuple[_Place, _Place, ast.expr, bool]]] = {}
        #: Settings that differ between runs, and the value that is tried.
        self._several: dict[str, list[str]] = {}
        self._assumed: dict[str, str] = {}

    def off(self, file: SourceFile, node: ast.AST) -> str:
        """``remix=false`` where such a setting leaves the place out; nothing where it runs, or nothing is known."""
        place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        tests = [(test, wanted) for first, last, test, wanted in self._of(file) if first <= place <= last]
        self._several.clear()
        if why := self._contradicted(file, tests):
            return why
        for name, values in dict(self._several).items():  # of several runs, each for itself
            found = []
            for value in values:
                self._assumed = {name: value}
                found.append(self._contradicted(file, tests))
            self._assumed = {}
            if all(found):
                return found[0]
        return ""

    def _contradicted(self, file: SourceFile, tests: list[tuple[ast.expr, bool]]) -> str:
        """The setting under which one of the tests is not what it must be."""
        for test, wanted in tests:
            truth, why = self._truth(file, test)
            if truth is not None and truth is not wanted:
                return why
        return ""

    def left_out(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether settings leave a place out, or every call of the class or function around it."""
        return bool(self.why_left_out(file, node))

    def why_left_out(self, file: SourceFile, node: ast.AST) -> str:
        """The setting that does so; nothing where the place may run."""
        if why := self.off(file, node):
            return why
        line = getattr(node, "lineno", 0)
        around = next((d for d in file.tree.body if isinstance(d, (ast.ClassDef, ast.FunctionDef)) and d.lineno <= line <= (d.end_lineno or 0)), None)
        calls = self.follower.calls_of(around.name) if around is not None else []
        reasons = [self.off(home, call) for home, call in calls]
        return reasons[0] if reasons and all(reasons) else ""

    def _of(self, file: SourceFile) -> list[tuple[_Place, _Place, ast.expr, bool]]:
        """(begin, end, test, what it must be) of every branch of the file."""
        if file not in self._branches:
            found = self._branches[file] = []
            for node in file.nodes:
                if isinstance(node, ast.If):
                    found.append((*_extent(node.body[0], node.body[-1]), node.test, True))
                    if node.orelse:
                        found.append((*_extent(node.orelse[0], node.orelse[-1]), node.test, False))
                for block in (getattr(node, field, None) for field in ("body", "orelse")):
                    body: list[ast.stmt] = block if isinstance(block, list) else []
                    for place, statement in enumerate(body[:-1]):
                        if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], (ast.Return, ast.Continue)):
                            found.append((*_extent(body[place + 1], body[-1]), statement.test, False))  # if seed == -1: return
                if isinstance(node, ast.IfExp):
                    found.append((*_extent(node.body, node.body), node.test, True))
                    found.append((*_extent(node.orelse, node.orelse), node.test, False))
        return self._branches[file]

    def _truth(self, file: SourceFile, test: ast.expr) -> tuple[bool | None, str]:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            truth, why = self._truth(file, test.operand)
            return (None if truth is None else not truth), why
        if isinstance(test, ast.BoolOp):
            parts = [self._truth(file, part) for part in test.values]
            decides = isinstance(test.op, ast.Or)
            if decided := next((part for part in parts if part[0] is decides), None):
                return decided
            return (not decides, parts[0][1]) if all(truth is not None for truth, _ in parts) else (None, "")
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.In, ast.NotIn)) and isinstance(listed := test.comparators[0], (ast.List, ast.Tuple, ast.Set)):
            names = [each.value for each in listed.elts if isinstance(each, ast.Constant)]
            inside = isinstance(test.ops[0], ast.In)
            return _one_truth([((value in names) is inside, f"{_last(test.left)}={value}") for value in self._values(file, test.left)] if len(names) == len(listed.elts) else [])
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(right := test.comparators[0], ast.Constant):
            return self._compared(file, test.left, test.ops[0], right.value)
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and (negative := _index(test.comparators[0])) is not None:
            return self._compared(file, test.left, test.ops[0], negative)
        if (asked := self._asked(test)) is not None:
            return (None, "") if self.follower.settings.named(asked) else (False, f"{asked} is not set")
        return _one_truth([(value not in _FALSE and value not in _EMPTY, f"{_last(test)}={value}") for value in self._values(file, test)])

    @staticmethod
    def _asked(test: ast.expr) -> str | None:
        """The setting that ``hasattr(args, "opt_eps")`` asks for."""
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "hasattr" and len(test.args) == 2 and isinstance(key := test.args[1], ast.Constant):
            parts = _parts(test.args[0])
            return str(key.value) if parts and _HOLDER.fullmatch(parts[-1].lower()) else None
        return None

    def _compared(self, file: SourceFile, left: ast.expr, operator: ast.cmpop, right: object) -> tuple[bool | None, str]:
        return _one_truth([_comparison(value, operator, right, _last(left)) for value in self._values(file, left)])

    def _values(self, file: SourceFile, node: ast.expr, steps: int = 8) -> list[str]:
        """The constants that a setting has in its runs, in the form that the code gives them: ``args.opt.lower()``; none where one is unknown."""
        if steps == 0:
            return []
        if isinstance(node, ast.Name):
            bound = self._bound(file, node)
            if bound is not None:
                return self._values(file, bound, steps - 1)
            return self._apart(node, self._given(file, node) or self._handed(file, node, steps))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FORMS and not node.args:
            return [getattr(text, node.func.attr)() for text in self._values(file, node.func.value, steps - 1)]
        if isinstance(node, ast.Subscript) and isinstance(index := _index(node.slice), int):
            parted = self._bound(file, node.value) if isinstance(node.value, ast.Name) else node.value
            if isinstance(parted, ast.Call) and isinstance(parted.func, ast.Attribute) and parted.func.attr == "split" and len(parted.args) == 1 and isinstance(by := parted.args[0], ast.Constant) and by.value:
                texts = [text.split(str(by.value)) for text in self._values(file, parted.func.value, steps - 1)]
                return [parts[index] for parts in texts] if all(-len(parts) <= index < len(parts) for parts in texts) else []
            return []
        if sectioned := self._in_section(node) or self._of_handed_section(file, node):
            return self._apart(node, sectioned)
        if (kept := self._kept(file, node)) is not None and (values := self._values(file, kept, steps - 1)):
            return values
        value = self._value(file, node)
        if value is not None:
            said = [(s.kind, s.value.strip("\"'")) for s in self.follower.settings.named(_last(node)) if s.kind in ("script", "argument") and not s.of_evaluation]
            scripted = any(kind == "script" for kind, _ in said) and value in (text for _, text in said)
            values = list(dict.fromkeys([value, *(text for _, text in said if scripted)]))  # one script asks for it, another leaves the default
            return self._apart(node, values)
        return self._otherwise(node)

    def _apart(self, node: ast.expr, values: list[str]) -> list[str]:
        """The value of the run that is looked at, where one is; else all, noted as those of several runs."""
        if len(values) > 1:
            self._several[_last(node)] = values
        return [self._assumed[_last(node)]] if _last(node) in self._assumed else values

    def _in_section(self, node: ast.expr) -> list[str]:
        """What configuration files hold under the names of ``train_opt["optim_g"].pop("type")``: others have a type, too."""
        parts = _parts(node)
        if len(parts) < 3 or not (parts[0].isupper() or any(_HOLDER.fullmatch(part.lower()) for part in parts[:-2])):
            return []
        found = [s.value.strip("\"'") for s in self.follower.settings.under(parts[-2]) if s.name == parts[-1] and not s.of_evaluation]
        return list(dict.fromkeys(found)) if all(re.fullmatch(r"[\w.+\-]+", text) for text in found) else []

    def _of_handed_section(self, file: SourceFile, node: ast.expr) -> list[str]:
        """What ``options.get("name", "Adam")`` gives in a function whose calls hand it sections of the configuration: ``create(config["optimizer"])``."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and len(node.args) == 2 and isinstance(holder := node.func.value, ast.Name)):
            return []
        key, default = node.args
        function = self.subject.function_around(file, node)
        place = _place(function, holder.id) if function is not None else -1
        if function is None or place < 0 or not isinstance(key, ast.Constant) or not isinstance(default, ast.Constant):
            return []
        sections = []
        for _, call in self.follower.calls_of(function.name):
            given = next((k.value for k in call.keywords if k.arg == holder.id), call.args[place] if place < len(call.args) else None)
            parts = _parts(given) if given is not None else []
            if len(parts) < 2 or not any(_HOLDER.fullmatch(part.lower()) for part in parts[:-1]):
                return []
            sections.append(parts[-1])
        held = [s for section in dict.fromkeys(sections) for s in self.follower.settings.under(section) if not s.of_evaluation]
        said = [s for s in held if s.name == key.value]
        if not held or not all(re.fullmatch(r"[\w.+\-]+", s.value.strip("\"'")) for s in said):
            return []
        leaving = {s.quote.path for s in held} - {s.quote.path for s in said}
        return list(dict.fromkeys([*(s.value.strip("\"'") for s in said), *([str(default.value)] if leaving else [])]))

    def _kept(self, file: SourceFile, node: ast.expr) -> ast.expr | None:
        """What a class's one statement about it stores in ``self.mixup``: ``config.get("mixup", False)``."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"):
            return None
        line = node.lineno
        cls = next((c for c in file.nodes if isinstance(c, ast.ClassDef) and c.lineno <= line <= (c.end_lineno or 0)), None)
        name = ast.unparse(node)
        stores = [n for n in ast.walk(cls) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and ast.unparse(n) == name] if cls is not None else []
        made = [n.value for n in ast.walk(cls) if isinstance(n, ast.Assign) and n.targets[0] in stores] if cls is not None and len(stores) == 1 else []
        return made[0] if made else None

    def _given(self, file: SourceFile, name: ast.Name) -> list[str]:
        """What a parameter is where its default is all that calls leave it, or what configuration files and command lines say beside it: ``def __init__(self, freeze_bn=False, **rest)``."""
        function = self.subject.function_around(file, name)
        default = defaults_of(function.args).get(name.id) if function is not None else None
        if function is None or not isinstance(default, ast.Constant) or any(isinstance(n, ast.Name) and n.id == name.id and isinstance(n.ctx, ast.Store) for n in ast.walk(function)):
            return []
        said = [s.value.strip("\"'") for s in self.follower.settings.named(name.id) if s.kind in ("file", "script", "argument") and not s.of_evaluation]
        called = next((c.name for c in file.nodes if isinstance(c, ast.ClassDef) and function in c.body), "") if function.name == "__init__" else function.name
        place = _place(function, name.id)
        calls = [call for _, call in self.follower.calls_of(called)]
        given = [k.value for call in calls for k in call.keywords if k.arg == name.id]
        given += [call.args[place] for call in calls if 0 <= place < len(call.args)]
        given = [value for value in given if isinstance(value, ast.Constant) or normal(_last(value)) != normal(name.id)]  # the setting itself, handed on
        if not said or not all(isinstance(value, ast.Constant) for value in given) or not all(re.fullmatch(r"[\w.+\-]+", text) for text in said):
            return []
        return list(dict.fromkeys([str(default.value), *said, *(str(value.value) for value in given if isinstance(value, ast.Constant))]))

    def _handed(self, file: SourceFile, name: ast.Name, steps: int) -> list[str]:
        """What the calls of a function or class give a parameter, or leave it: settings and constants; none where one is unknown, or somebody may call it unseen."""
        function = self.subject.function_around(file, name)
        place = _place(function, name.id) if function is not None else -1
        if function is None or place < 0 or any(isinstance(n, ast.Name) and n.id == name.id and isinstance(n.ctx, ast.Store) for n in ast.walk(function)):
            return []
        cls = next((c for c in file.nodes if isinstance(c, ast.ClassDef) and function in c.body), None) if function.name == "__init__" else None
        default = defaults_of(function.args).get(name.id)
        called = cls.name if cls is not None else function.name
        if (cls is not None or default is not None) and called in self._handed_on:
            return []
        found: list[str] = []
        for home, call in self.follower.calls_of(called):
            meant = v.options(self.subject.facts[home].value(call.func))
            if not any(isinstance(o, v.ProjectFunction) and o.scope.node is function or isinstance(o, v.ProjectClass) and o.scope.node is cls for o in meant):
                continue  # numpy.random.seed
            if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                return []
            given = next((k.value for k in call.keywords if k.arg == name.id), call.args[place] if place < len(call.args) else default)
            values = self._values(home, given, steps - 1) if given is not None and not isinstance(given, ast.Constant) else [str(given.value)] if isinstance(given, ast.Constant) else []
            if not values:
                return []
            found += values
        return list(dict.fromkeys(found))

    @cached_property
    def _handed_on(self) -> frozenset[str]:
        """Names of classes and functions that stand somewhere else than where they are called, are imported under another name or derived from."""
        found: set[str] = set()
        for file in self.subject.files:
            callees = {id(n.func) for n in file.nodes if isinstance(n, ast.Call)}
            callees |= {id(e) for n in file.tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__" for e in ast.walk(n.value)}
            callees |= {id(a) for n in file.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "super" for a in n.args}
            for node in file.nodes:
                if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and id(node) not in callees:
                    found.add(node.id if isinstance(node, ast.Name) else node.attr)
                elif isinstance(node, ast.ImportFrom):
                    found.update(alias.name for alias in node.names if alias.asname and alias.asname != alias.name)
        return frozenset(found)

    def _bound(self, file: SourceFile, name: ast.Name) -> ast.expr | None:
        """What a function's own statements, one after another, last bind a name to before a place; None where a branch may bind it."""
        scope = self.subject.function_around(file, name) or file.tree
        stores = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name.id and isinstance(n.ctx, ast.Store)]
        straight = [s for s in scope.body if isinstance(s, ast.Assign) and len(s.targets) == 1 and s.targets[0] in stores]
        before = [s.value for s in straight if s.lineno < name.lineno]
        return before[-1] if before and len(straight) == len(stores) else None

    def _otherwise(self, node: ast.expr) -> list[str]:
        """What ``getattr(config, "gradient_checkpointing", False)`` and ``config.get("amp", False)`` give where nothing sets it."""
        if not isinstance(node, ast.Call):
            return []
        attribute = isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 3
        got = isinstance(node.func, ast.Attribute) and node.func.attr == "get" and len(node.args) == 2
        receiver = node.args[0] if attribute else node.func.value if got and isinstance(node.func, ast.Attribute) else None
        key, default = node.args[-2:] if receiver is not None else (None, None)
        parts = _parts(receiver) if receiver is not None else []
        if not (parts and _HOLDER.fullmatch(parts[-1].lower()) and isinstance(key, ast.Constant) and isinstance(default, ast.Constant)):
            return []
        return [] if self.follower.settings.named(str(key.value)) else [str(default.value)]

    def _value(self, file: SourceFile, node: ast.expr) -> str | None:
        """The one constant that a setting has everywhere; None for anything else."""
        parts = _parts(node)
        if len(parts) < 2 or _DEVICE.fullmatch(parts[-1].lower()) or not any(_HOLDER.fullmatch(part.lower()) for part in parts[:-1]):
            return None
        followed = self.follower.follow(file, node)
        if not followed.known or not followed.sure and len(followed.quotes) != 1 or " or " in followed.text:
            return None
        text = followed.text.strip("\"'")
        return text if re.fullmatch(r"[\w.+\-]*|\[\]|\(\)|\{\}", text) else None


def _place(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> int:
    """Where a call of the function or method gives a parameter by position; -1 where it cannot."""
    named = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
    return named.index(name) - (named[0] in ("self", "cls")) if name in named else -1


def _parts(node: ast.expr) -> list[str]:
    """``self.args.remix``, ``opt["model"]["norm"]`` and ``cfg.get("compile")`` as lists of names."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [*_parts(node.value), node.attr] if _parts(node.value) else []
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return [*_parts(node.value), node.slice.value] if _parts(node.value) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "getboolean", "getint", "getfloat") and node.args and isinstance(key := node.args[-1 if node.func.attr.startswith("get") and node.func.attr != "get" else 0], ast.Constant):
        return [*_parts(node.func.value), str(key.value)] if _parts(node.func.value) else []
    return []


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and len(node.args) == 3 and isinstance(key := node.args[1], ast.Constant):
        return str(key.value)  # getattr(config, "checkpointing", False)
    return (_parts(node) or [ast.unparse(node)])[-1]


def _comparison(value: str, operator: ast.cmpop, right: object, name: str) -> tuple[bool | None, str]:
    """Whether a setting's value compares so with a constant, where that is known, and the setting."""
    why = f"{name}={value}"
    if right is None and isinstance(operator, (ast.Is, ast.IsNot)):
        none = value in ("None", "null")
        return none is isinstance(operator, ast.Is), why
    if isinstance(right, str) and right and isinstance(operator, (ast.Eq, ast.NotEq)):
        return (value == right) is isinstance(operator, ast.Eq), why
    if isinstance(right, (int, float)) and isinstance(operator, (ast.Gt, ast.GtE)) and re.fullmatch(r"-?\d+(\.\d*)?", value):
        return (float(value) > right if isinstance(operator, ast.Gt) else float(value) >= right), why
    if type(right) is int and isinstance(operator, (ast.Eq, ast.NotEq)) and re.fullmatch(r"-?\d+", value):
        return (int(value) == right) is isinstance(operator, ast.Eq), why
    return None, ""


def _one_truth(found: list[tuple[bool | None, str]]) -> tuple[bool | None, str]:
    """What all of the values say; nothing where they differ."""
    return found[0] if found and len({truth for truth, _ in found}) == 1 else (None, "")


def _extent(first: ast.expr | ast.stmt, last: ast.expr | ast.stmt) -> tuple[_Place, _Place]:
    return (first.lineno, first.col_offset), (last.end_lineno or 0, last.end_col_offset or 0)


def _index(node: ast.expr) -> int | None:
    """A constant place in a list, counted from the end, too."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    number = node.operand if negative and isinstance(node, ast.UnaryOp) else node
    return (-number.value if negative else number.value) if isinstance(number, ast.Constant) and type(number.value) is int else None
