"""``self.queue = normalize(self.queue)``: a buffer that takes another's place is registered again.

MindSpore's cell raises where a tensor is assigned to the name of a buffer; `register_buffer` takes it. Of several targets
(``self.mean, n = update(…)``) the buffer's becomes a local name, registered in the next statement. What is registered in a branch only, or
deleted somewhere (``del self.cache``), may be a buffer or a plain attribute: the program asks when it runs.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple

from mindport.convert.aliasing.synchronise import why_no_room
from mindport.convert.context import MODULE, Context, Files
from mindport.convert.rewrites.buffer_class import BUFFERS, REGISTER
from mindport.convert.scopes import scope_of
from mindport.convert.training.writing import fresh_name
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.walking import walk

KNOWLEDGE = "mindport.equivalents.assigned_buffers"
ASSIGN = "assign_buffer"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the assignments to attributes that the object's class registers as buffers."""
    for statement in context.file.nodes:
        if isinstance(statement, ast.Assign) and context.named.get(id(statement.value)) not in BUFFERS:
            for target in statement.targets:
                for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                    if part is target and _is_parameter(context, statement.value):
                        continue  # one branch registers a buffer, the other a parameter, which is trained
                    buffer = _buffer(context, part) if isinstance(part, ast.Attribute) else None
                    if buffer is None and part is target and isinstance(part, ast.Attribute) and _may_be_buffer(context, part, statement.value):
                        buffer = Registered("", False)
                    if buffer is not None:
                        assert isinstance(part, ast.Attribute)
                        _plan(context, statement, part, buffer)


def _is_parameter(context: Context, value: ast.expr) -> bool:
    """Whether a value is a parameter wherever it is known."""
    kinds = [kind for kind in v.options(context.facts.value(value)) if kind != v.NONE]
    return bool(kinds) and all(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds)


def _buffer(context: Context, target: ast.Attribute) -> Registered | None:
    """How the attribute is registered by all that the object can be; None where it is no buffer."""
    options = [o for o in v.options(context.facts.value(target.value)) if o != v.NONE]
    found = set()
    for option in options:
        if not isinstance(option, v.ProjectInstance) or MODULE not in option.cls.scope.ancestors:
            return None
        buffers: dict[str, Registered] = {}
        for cls in reversed(option.cls.scope.mro):
            buffers |= registered(cls.node)
        buffer = buffers.get(target.attr)
        found.add(buffer if buffer is None or target.attr not in context.shared.once(_deleted_names) else buffer._replace(always=False))
    return found.pop() if len(found) == 1 else None


def _may_be_buffer(context: Context, target: ast.Attribute, value: ast.expr) -> bool:
    """Whether something of unknown class may be a module of the project with such a buffer: a tensor is given to it, or what is computed from the old one."""
    options = [o for o in v.options(context.facts.value(target.value)) if o != v.NONE]
    own = [o for o in options if isinstance(o, v.ProjectInstance)]
    holding = any(target.attr in registered(cls.node) for o in own if MODULE in o.cls.scope.ancestors for cls in o.cls.scope.mro)
    if target.attr not in context.shared.once(registered_names) or not all(o in own or _is_open(o) for o in options):
        return False
    if len(own) == len(options) and not holding:
        return False
    if isinstance(target.value, ast.Name) and target.value.id in ("self", "cls"):
        return False
    given = v.options(context.facts.value(value))
    return any(isinstance(o, v.TensorValue) for o in given) or (
        any(isinstance(o, v.Unknown) for o in given) and any(isinstance(n, ast.Attribute) and ast.unparse(n) == ast.unparse(target) for n in ast.walk(value))
    )


def _is_open(option: v.Value) -> bool:
    return isinstance(option, v.Unknown) or (isinstance(option, v.Instance) and MODULE in (option.cls, *torchfacts.ancestors(option.cls)))


def registered_names(files: Files) -> frozenset[str]:
    """The buffers of all classes of the project, and of modules that functions register some on."""
    return frozenset(name for file, _ in files for name in registered(file.tree))


def _deleted_names(files: Files) -> frozenset[str]:
    """The attributes that the project deletes by name: ``del net.cache``, ``delattr(net, "cache")``."""
    found = set()
    for file, _ in files:
        for node in file.nodes:
            match node:
                case ast.Attribute(attr=name, ctx=ast.Del()) | ast.Call(func=ast.Name(id="delattr"), args=[_, ast.Constant(value=str(name))]):
                    found.add(name)
    return frozenset(found)


class Registered(NamedTuple):
    """A buffer of a class: the text of `persistent`, and whether every object has it."""

    persistent: str
    always: bool


@lru_cache(maxsize=4096)
def registered(cls: ast.ClassDef | ast.Module) -> dict[str, Registered]:
    """Buffers that the methods of a class register on self."""
    statements = [s for method in cls.body if isinstance(method, ast.FunctionDef) for s in method.body]
    straight = {id(s.value) for s in statements if isinstance(s, ast.Expr)}
    found: dict[str, Registered] = {}
    for call in walk(cls):
        match call:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=attribute)], value=ast.Call(func=ast.Name(id="Buffer") | ast.Attribute(attr="Buffer")) as made):
                saved = {keyword.arg: keyword.value for keyword in made.keywords}.get("persistent")
                found[attribute] = Registered("" if saved is None else ast.unparse(saved), call in statements)
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == REGISTER):
            continue
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        named = call.args[0] if call.args else keywords.get("name")
        if not isinstance(call.func.value, ast.Name):
            continue
        persistent = call.args[2] if len(call.args) > 2 else keywords.get("persistent")
        for name in [named.value] if isinstance(named, ast.Constant) and isinstance(named.value, str) else _looped(cls, call, named):
            always = id(call) in straight or (name in found and found[name].always)
            found[name] = Registered("" if persistent is None else ast.unparse(persistent), always)
    return found


def _looped(cls: ast.ClassDef | ast.Module, call: ast.Call, named: ast.expr | None) -> list[str]:
    """``for name in ("mean", "var"): self.register_buffer(name, …)``: the names that a loop around the call goes through."""
    if not isinstance(named, ast.Name):
        return []
    for loop in walk(cls):
        match loop:
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=texts) | ast.List(elts=texts)) if name == named.id and any(n is call for n in walk(loop)):
                return [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]
    return []


def _plan(context: Context, statement: ast.Assign, target: ast.Attribute, buffer: Registered) -> None:
    persistent = buffer.persistent
    constant = persistent in ("", "True", "False")
    apart = isinstance(target.value, ast.Name) and (statement.targets == [target] or not why_no_room(context, statement))
    if not constant or (statement.targets != [target] and not apart):
        why = "together with other targets" if constant else f"and whether it is saved ({persistent}) is decided elsewhere"
        context.report("MP107", f"the buffer {target.attr} is replaced {why}: MindSpore's cell raises there", statement, risk="loud", mark=True)
        return
    keyword = ", persistent=False" if persistent == "False" else ""
    if statement.targets != [target]:
        _apart(context, statement, target, keyword, buffer.always)
        return

    def work() -> None:
        owner, value = (context.editing.current(*context.editing.span(part)) for part in (target.value, statement.value))
        if isinstance(statement.value, ast.Tuple) and not value.startswith("("):
            value = f"({value})"
        context.editing.replace(*context.editing.span(statement), _text(context, owner, target.attr, f"{value}{keyword}", buffer.always))

    context.plan(statement, work, last=True)


def _apart(context: Context, statement: ast.Assign, target: ast.Attribute, keyword: str, always: bool) -> None:
    name = fresh_name(context, scope_of(context, statement), target.attr)

    def work() -> None:
        owner = context.editing.current(*context.editing.span(target.value))
        start, end = context.editing.span(target)
        context.editing.replace(start, end, name)
        start, end = context.editing.span(statement)
        indent = context.editing.indent(start)
        context.editing.insert(end, f"\n{indent}{_text(context, owner, target.attr, name + keyword, always)}")

    context.plan(target, work, last=True)


def _text(context: Context, owner: str, name: str, value: str, always: bool) -> str:
    return f'{owner}.{REGISTER}("{name}", {value})' if always else f'{context.definition(KNOWLEDGE, ASSIGN)}({owner}, "{name}", {value})'
