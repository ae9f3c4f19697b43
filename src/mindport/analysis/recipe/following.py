"""What value reaches an argument: through names, attributes, parameters and settings, with each step's place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.handed_sections import sections
from mindport.analysis.recipe.settings import CONFIGURATION, Setting, Settings, constant_text, trains
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile

#: Steps from an argument to its constant; longer ways say nothing to a reader.
_MOST_STEPS = 5
#: Calls of a function that are looked at for what they give a parameter.
_MOST_SITES = 8
#: Options that name a configuration file, and packages that read one.
_FILE_OPTION = re.compile(r"-{1,2}\w*(conf|cfg|yaml|json|hparams|preset|recipe)[\w-]*|-c")
_FILE_READERS = frozenset(("yaml", "json", "omegaconf", "hydra", "yacs", "toml", "tomllib", "configparser", "configargparse", "jsonargparse", "mmcv", "mmengine", "easydict", "ml_collections", "sacred", "fire"))
#: Values in whose place ``a or b`` gives the other one.
_EMPTY = ("None", "False", "0", "0.0", "''", "[]", "()", "null")
#: Methods of a `configparser` that give a number or a truth.
_TYPED = ("getint", "getfloat", "getboolean")
_CASTS = ("float", "int", "str", "bool", "tuple", "list")


@dataclass(frozen=True)
class Followed:
    """`text`: the expression with what is known put in; `sure`: no setting was taken by its name alone."""

    text: str
    quotes: tuple[Quote, ...] = ()
    known: bool = True
    sure: bool = True


class Follower:
    """Follows expressions of one project."""

    def __init__(self, subject: Subject, settings: Settings) -> None:
        self.subject, self.settings = subject, settings
        self._calls: dict[str, list[tuple[SourceFile, ast.Call]]] | None = None
        self._stores: dict[str, list[tuple[SourceFile, ast.expr]]] | None = None

    def follow(self, file: SourceFile, node: ast.expr, steps: int = _MOST_STEPS) -> Followed:
        """What `node` stands for; its own text where nothing is known."""
        text = constant_text(node)
        if text is not None:
            return Followed(text)
        facts = self.subject.facts[file]
        constant = _constant(facts, node)
        if constant is not None and (constant != "None" or not isinstance(node, (ast.Attribute, ast.Subscript))):  # a default of None is given elsewhere
            return Followed(constant, tuple(self._assigned_places(file, node)))
        if steps == 0:
            return Followed(ast.unparse(node), known=False)
        if isinstance(node, ast.Name):
            return self._name(file, node, steps)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self" and (own := self._own(file, node, steps)) is not None:
                return own
            module = any(isinstance(o, (v.ProjectModule, v.ProjectClass)) for o in v.options(facts.value(node.value)))
            return self._setting(file, node.attr, node, steps, constants=module)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._setting(file, str(node.slice.value), node, steps)
        if isinstance(node, ast.Subscript) and (table := self._table(file, node.value)) is not None:
            return self._one_of(file, table, steps)
        if isinstance(node, ast.BinOp):
            left, right = (_grouped(self.follow(file, side, steps), node) for side in (node.left, node.right))
            sign = {ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-", ast.Pow: "**", ast.FloorDiv: "//"}
            return _both(left, right, f" {sign.get(type(node.op), '?')} ")
        if isinstance(node, ast.IfExp):
            return _both(self.follow(file, node.body, steps - 1), self.follow(file, node.orelse, steps - 1), " or ")
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            first, second = (self.follow(file, value, steps - 1) for value in node.values)
            if first.known and first.sure and first.text in _EMPTY:
                return Followed(second.text, first.quotes + second.quotes, second.known, second.sure)
            return _both(first, second, " or ")
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.follow(file, item, steps - 1) for item in node.elts]
            return Followed(
                "(" + ", ".join(p.text for p in parts) + ")", tuple(q for p in parts for q in p.quotes),
                all(p.known for p in parts), all(p.sure for p in parts),
            )  # fmt: skip
        if (asked := self.sectioned(node)) is not None:
            return self._setting(file, asked, node, steps)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args and isinstance(key := node.args[0], ast.Constant):
            set_to = self._setting(file, str(key.value), node, steps)  # cfg.get("seed", 1337)
            return set_to if set_to.known or len(node.args) < 2 else self.follow(file, node.args[1], steps - 1)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _CASTS and len(node.args) == 1:
                return self.follow(file, node.args[0], steps)
            if node.func.id == "getattr" and len(node.args) >= 2 and isinstance(key := node.args[1], ast.Constant):
                return self._setting(file, str(key.value), node, steps)
        return Followed(ast.unparse(node), known=False)

    def sectioned(self, node: ast.expr) -> str | None:
        """The setting that a `configparser` is asked for: ``config.getfloat("train", "lr")``, ``config["train"].getboolean("amp")``; None for other calls."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", *_TYPED)):
            return None
        keys = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if node.func.attr == "get":  # a dictionary's second argument is what it gives otherwise
            return keys[1] if len(keys) == 2 and not self.settings.named(keys[0]) and self.settings.named(keys[1]) else None
        return keys[-1] if keys else None

    def _table(self, file: SourceFile, node: ast.expr) -> ast.Dict | None:
        """The dictionary that is written out where something is looked up: in place, or assigned to the name once."""
        if isinstance(node, ast.Name):
            around = self.subject.function_around(file, node)
            found = (list(_assigned(around, node.id)) if around is not None else []) or list(_module_level(file, node.id))
            node = found[0] if len(found) == 1 else node
        return node if isinstance(node, ast.Dict) else None

    def _one_of(self, file: SourceFile, table: ast.Dict, steps: int) -> Followed:
        """Every value that a lookup in a table can give."""
        parts = [self.follow(file, value, steps - 1) for value in table.values]
        texts = list(dict.fromkeys(p.text for p in parts))
        shown = " or ".join(texts[:4]) + (" …" if len(texts) > 4 else "")
        return Followed(shown, (self.subject.quote(file, table),), bool(parts) and all(p.known for p in parts), False)

    def always_none(self, name: str, place: int) -> bool:
        """Whether every call of a function of this name gives None at a place: what it would limit is not limited."""
        calls = self.calls_of(name)
        return bool(calls) and all(len(c.args) > place and isinstance(a := c.args[place], ast.Constant) and a.value is None for _, c in calls)

    def _setting(self, file: SourceFile, name: str, node: ast.expr, steps: int, constants: bool = False) -> Followed:
        """What a configuration holds under a name; `constants`: a module's plain variables can be meant, too.

        A file's own settings come before those of other files: each script has its own command line. What is None by
        default is what the file sets it to later: ``args.lr = args.base_lr * batch / 256``.
        """
        here = str(file.relative)
        found = [
            s for s in self.settings.named(name) if s.quote.path == here
            or (constants or s.owner == CONFIGURATION if s.kind == "constant" else s.kind != "parameter" or trains(s))
        ]  # fmt: skip
        near = [s for s in found if s.kind != "argument" or self.subject.programs.near(s.quote.path, file)]
        if near and all(s.over for s in near if s.kind == "argument"):
            near += [s for s in found if s not in near]  # one model's defaults stand over those of the command line
        found = near or ([] if self.subject.programs.reads_options(file) else found)  # another program's command line
        found = [s for s in found if s.value != "None"] or found
        found = [s for s in found if not s.of_evaluation or s.quote.path == here] or found
        if len({s.value for s in found}) > 1:
            under, written = sections(self, file, node)
            if written and not under and steps and len(parts := [self.follow(home, value, steps - 1) for home, value in written]) <= 2 and all(p.known for p in parts):
                return Followed(" or ".join(dict.fromkeys(p.text for p in parts)), tuple(q for p in parts for q in p.quotes), True, len(parts) == 1)
            found = [s for s in found if s.under in under] or found
        own = [s for s in found if s.kind == "argument" and s.quote.path == here]
        if own and not self._reads_files(file):
            scripted = [s for s in found if s.kind == "script" and s.program == file.relative.name]
            found = scripted or own  # the program's own command line; only what runs it says more
        if not found or found[0].value == "None":
            computed = self._stored(file, node, steps)
            if computed is not None:
                return computed
        if not found:
            return Followed(ast.unparse(node), known=False)
        same_kind = [s for s in found if s.kind == found[0].kind]
        same_kind = [s for s in same_kind if s.quote.path == here] or same_kind
        values = list(dict.fromkeys(s.value for s in same_kind))
        shown = values[0] if len(values) == 1 else " or ".join(values[:3]) + (" …" if len(values) > 3 else "")
        return Followed(shown, tuple(s.quote for s in same_kind[:4]), True, len(values) == 1)

    def naming(self, node: ast.expr, made: str) -> set[str]:
        """The configuration files whose section of that name says that it is for a class: ``optim_g: {type: AdamW, lr: 3e-4}``."""
        name = _section_name(node)
        return {s.quote.path for s in self.settings.under(name) if s.value.strip("'\"") == made} if name else set()

    def section(self, node: ast.expr, paths: set[str]) -> list[tuple[str, Followed]]:
        """What ``**p["optimizer_kwargs"]`` unpacks: the entries that these configuration files hold under that name, each with its values."""
        name = _section_name(node)
        found: dict[str, list[Setting]] = {}
        for setting in self.settings.under(name) if name else ():
            if setting.quote.path in paths and setting.name not in ("type", "name"):
                found.setdefault(setting.name, []).append(setting)
        told = []
        for key, each in found.items():
            values = list(dict.fromkeys(s.value for s in each))
            told.append((key, Followed(" or ".join(values[:3]) + (" …" if len(values) > 3 else ""), tuple(s.quote for s in each[:2]), True, len(values) == 1)))
        return told

    def _reads_files(self, file: SourceFile) -> bool:
        """Whether a program's command line names a configuration file, or its text reads one."""
        written = [n.value for n in file.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        named = any(_FILE_OPTION.fullmatch(text) or text.endswith((".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf")) for text in written)
        read = any(alias.name.partition(".")[0] in _FILE_READERS for n in file.nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for alias in n.names)
        return named or read or any(isinstance(n, ast.ImportFrom) and (n.module or "").partition(".")[0] in _FILE_READERS for n in file.nodes)

    def _stored(self, file: SourceFile, node: ast.expr, steps: int) -> Followed | None:
        """What the file stores into the same attribute or entry; None where nothing is, or more than one thing."""
        text = ast.unparse(node)
        stores = [
            inner for inner in file.nodes if isinstance(inner, ast.Assign)
            and isinstance(node, (ast.Attribute, ast.Subscript)) and any(ast.unparse(target) == text for target in inner.targets)
        ]  # fmt: skip
        if len(stores) != 1 or constant_text(stores[0].value) is not None:
            return None
        followed = self.follow(file, stores[0].value, steps - 1)
        return Followed(followed.text, (self.subject.quote(file, stores[0]), *followed.quotes), followed.known or bool(followed.quotes), False)

    def _name(self, file: SourceFile, node: ast.Name, steps: int) -> Followed:
        function = self.subject.function_around(file, node)
        found = list(_assigned(function, node.id)) if function is not None else []
        found = [value for value in found if not _names(value, node.id)]  # lr = lr * 0.1 says how it changes
        if function is not None and not found and (given := self._given(file, function, node.id, steps)) is not None:
            return given
        if function is None or not found and node.id not in _parameters(function):
            found = found or list(_module_level(file, node.id))
        if found:
            parts = [self.follow(file, value, steps - 1) for value in found[-2:]]
            places = tuple(self.subject.quote(file, value) for value in found[-2:])
            if any(p.known for p in parts) and not all(p.known for p in parts):
                parts = [*(p for p in parts if p.known), Followed("…")]  # read from a checkpoint, say
            text = " or ".join(dict.fromkeys(p.text for p in parts))
            return Followed(text, places + tuple(q for p in parts for q in p.quotes), all(p.known for p in parts), False)
        return self._setting(file, node.id, node, steps)

    def _given(self, file: SourceFile, function: Function, name: str, steps: int) -> Followed | None:
        """What the project's calls give a parameter; None for what is no parameter, or is given nowhere."""
        named = _parameters(function)
        if name not in named:
            return None
        method = bool(named) and named[0] in ("self", "cls")
        place = named.index(name) - method
        parts: list[Followed] = []
        called = function.name
        if called == "__init__":
            called = next((c.name for c in file.nodes if isinstance(c, ast.ClassDef) and function in c.body), called)
        default = _default(function, name)
        sites = [each for each in self.calls_of(called) if not self._tries_out(*each)] or self.calls_of(called)
        for home, call in sites[:_MOST_SITES]:
            meant = v.options(self.subject.facts[home].value(call.func))
            if all(isinstance(o, v.ProjectFunction) for o in meant) and not any(isinstance(o, v.ProjectFunction) and o.scope.node is function for o in meant):
                continue  # another function of the same name
            if home is file and function.lineno <= call.lineno <= (function.end_lineno or 0):
                continue
            argument = next((k.value for k in call.keywords if k.arg == name), None)
            if argument is None and 0 <= place < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args):
                argument = call.args[place]
            if argument is None and default is not None and not any(k.arg is None for k in call.keywords):
                parts.append(Followed(default, (self.subject.quote(file, function),)))
            if argument is not None:
                followed = self.follow(home, argument, steps - 1)
                parts.append(Followed(followed.text, (self.subject.quote(home, argument), *followed.quotes), followed.known, followed.sure))
        if not parts or not all(part.known for part in parts):
            return None
        return Followed(" or ".join(dict.fromkeys(p.text for p in parts)), tuple(q for p in parts for q in p.quotes), True, len(parts) == 1)

    def _tries_out(self, file: SourceFile, call: ast.Call) -> bool:
        """Whether a call stands in a module's self-test, or in a function that only that calls."""
        around = self.subject.function_around(file, call)
        if around is None or around not in file.tree.body:
            return self.subject.in_self_test(file, call)
        calls = [each for each in self.calls_of(around.name) if each[0] is file]
        return bool(calls) and all(self.subject.in_self_test(*each) for each in calls)

    def _own(self, file: SourceFile, node: ast.Attribute, steps: int) -> Followed | None:
        """What ``self.x`` is where the constructor around it sets it from one of its parameters."""
        function = self.subject.function_around(file, node)
        if function is None:
            return None
        cls = next((c for c in file.nodes if isinstance(c, ast.ClassDef) and function in c.body), None)
        made = next((f for f in cls.body if isinstance(f, Function) and f.name == "__init__"), None) if cls is not None else None
        if made is None:
            return self._set_outside(node.attr, steps)
        values = [value for inner in ast.walk(made) if isinstance(inner, ast.Assign) for target, value in _pairs(inner) if ast.unparse(target) == f"self.{node.attr}"]
        if not values:
            return self._set_outside(node.attr, steps)
        if len(values) != 1 or not isinstance(values[0], ast.Name):
            return None
        given = self._given(file, made, values[0].id, steps)
        return given if given is not None or values[0].id == node.attr or steps == 0 else self._name(file, values[0], steps - 1)

    def _set_outside(self, attribute: str, steps: int) -> Followed | None:
        """What other code stores into an attribute that no constructor sets: ``model.learning_rate = base_lr * batch_size``."""
        if self._stores is None:
            self._stores = {}
            for home in self.subject.files:
                assigned = [n for n in ast.walk(home.tree) if isinstance(n, ast.Assign)] if not self.subject.aside(home.relative) else []
                for inner in assigned:
                    for target in inner.targets:
                        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id != "self":
                            self._stores.setdefault(target.attr, []).append((home, inner.value))
        found = self._stores.get(attribute, [])
        parts = [(self.follow(home, value, steps - 1), self.subject.quote(home, value)) for home, value in found] if 0 < len(found) <= 2 else []
        if not parts:
            return None
        return Followed(" or ".join(dict.fromkeys(p.text for p, _ in parts)), tuple(q for p, place in parts for q in (place, *p.quotes)), True, False)

    def calls_of(self, name: str) -> list[tuple[SourceFile, ast.Call]]:
        """Calls of functions that are called so, also by a name that a file gives them (``kind = Agent; kind(…)``); collected once for all names."""
        if self._calls is None:
            self._calls = {}
            defined = {n.name for file in self.subject.files for n in file.nodes if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
            for file in self.subject.files:
                if self.subject.in_tests(file.relative):
                    continue
                others: dict[str, list[str]] = {}
                for node in file.nodes:
                    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute)) and isinstance(target := node.targets[0], ast.Name) and (meant := _section_name(node.value)) in defined:
                        others.setdefault(target.id, []).append(meant)
                for node in file.nodes:
                    if isinstance(node, ast.Call):
                        called = last_name(node.func)
                        for each in dict.fromkeys((called, *(others.get(called, ()) if isinstance(node.func, ast.Name) else ()))):
                            self._calls.setdefault(each, []).append((file, node))
        return self._calls.get(name, [])

    def _assigned_places(self, file: SourceFile, node: ast.expr) -> Iterator[Quote]:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        found: list[Setting] = self.settings.named(name) if name else []
        here = [s for s in found if s.quote.path == str(file.relative)]  # the constant came through this file's text
        yield from (s.quote for s in (here or found)[:1])


def _section_name(node: ast.expr) -> str:
    """The last name of ``opt["optim_g"]``, ``cfg.optimizer`` or a plain name."""
    if isinstance(node, ast.Name):
        return node.id
    return str(node.slice.value) if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else node.attr if isinstance(node, ast.Attribute) else ""


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, value) of an assignment, those of ``a, b = c, d`` apart."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def _names(value: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(value))


def _parameters(function: Function) -> list[str]:
    return [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]


def _module_level(file: SourceFile, name: str) -> Iterator[ast.expr]:
    """What a file's own statements assign to a name, those under ``if __name__ == "__main__"`` included."""
    pending: list[ast.stmt] = list(file.tree.body)
    while pending:
        statement = pending.pop(0)
        if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in statement.targets):
            yield statement.value
        elif isinstance(statement, (ast.If, ast.With, ast.For, ast.While, ast.Try)):
            pending[:0] = [*statement.body, *getattr(statement, "orelse", ())]


def _assigned(function: Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield node.value
        elif (
            isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name
            and node.value is not None
        ):  # fmt: skip
            yield node.value


def _constant(facts: Facts, node: ast.expr) -> str | None:
    value = facts.value(node)
    options = [o for o in v.options(value) if o != v.NONE] or [value]
    if all(isinstance(o, v.Const) for o in options) and len(options) <= 2:
        return " or ".join(sorted(repr(o.value) for o in options if isinstance(o, v.Const)))
    return None


def _both(left: Followed, right: Followed, between: str) -> Followed:
    if between == " or " and left.text == right.text:
        return left
    return Followed(
        f"{left.text}{between}{right.text}", left.quotes + right.quotes, left.known and right.known, left.sure and right.sure
    )


def _default(function: Function, name: str) -> str | None:
    """A parameter's constant default, as text."""
    default = defaults_of(function.args).get(name)
    return constant_text(default) if default is not None else None


def _grouped(part: Followed, around: ast.BinOp) -> Followed:
    """In brackets where the text would else be read another way."""
    loose = " + " in part.text or " - " in part.text or " or " in part.text
    if loose and not isinstance(around.op, (ast.Add,)) and not part.text.startswith("("):
        return Followed(f"({part.text})", part.quotes, part.known, part.sure)
    return part
