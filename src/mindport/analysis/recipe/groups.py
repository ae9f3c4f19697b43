"""Parameter groups of an optimizer: what each is given, followed to its values, and which parameters it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Subject
from mindport.source.file import SourceFile

#: Methods that give a network's parameters as they are.
_ALL = ("parameters", "named_parameters")


def written_groups(subject: Subject, follower: Follower, file: SourceFile, node: ast.expr, conditions: Conditions) -> Iterator[tuple[str, list[Quote]]]:
    """(text, places) of groups that an optimizer is given: a list of dicts, or a name that holds one."""
    scope: ast.AST = subject.function_around(file, node) or file.tree
    if isinstance(node, ast.Name):
        assigned = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in n.targets)]
        lists: list[ast.expr] = [value for value in assigned if isinstance(value, ast.List) and any(_as_group(i) for i in value.elts)]
        lists += [value for value in assigned if isinstance(value, ast.ListComp) and _as_group(value.elt)]
        calls = [value for value in assigned if isinstance(value, ast.Call)]
        calls = [call for call in calls if not (isinstance(call.func, ast.Attribute) and call.func.attr in _ALL)] or calls  # the branch that makes no groups
        added = list(_groups_added(scope, node.id))
        if lists:
            node = lists[-1]
        elif added:
            for each in added:
                yield group(subject, follower, file, each)
            return
        elif filled := _filled(subject, file, scope, node.id, conditions):
            yield f"{node.id}: " + "; ".join(text for text, _ in filled), [quote for _, quote in filled]
            return
        elif calls:
            node = calls[-1]
    if isinstance(node, ast.ListComp) and (one := _as_group(node.elt)):
        yield group(subject, follower, file, one)  # one for each of several networks
    elif isinstance(node, (ast.List, ast.Tuple)):
        for item in node.elts:
            if one := _as_group(item):
                yield group(subject, follower, file, one)
    elif isinstance(node, ast.Call) and (made := _made(subject, follower, file, node)) is not None:
        yield made


def _as_group(node: ast.expr) -> ast.Dict | None:
    """A group as a display of a dictionary: ``{"params": …}`` itself, ``dict(params=…, lr=…)`` as one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args and node.keywords and all(k.arg for k in node.keywords):
        keys: list[ast.expr | None] = [ast.copy_location(ast.Constant(k.arg), k.value) for k in node.keywords]
        return ast.copy_location(ast.Dict(keys, [k.value for k in node.keywords]), node)
    return node if isinstance(node, ast.Dict) else None


def _groups_added(scope: ast.AST, name: str) -> Iterator[ast.Dict]:
    """Groups that a list gets one after another: ``params += [{…}]``, ``params.append({…})``."""
    for node in ast.walk(scope):
        given: list[ast.expr] = []
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name and isinstance(node.value, ast.List):
            given = node.value.elts
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and ast.unparse(node.func.value) == name:
            given = node.args
        for item in given:
            if isinstance(item, ast.Name):
                made = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == item.id]
                item = made[0] if len(made) == 1 else item
            made_so = _as_group(item)
            if made_so is not None and any(isinstance(key, ast.Constant) and key.value == "params" for key in made_so.keys):
                yield made_so


def _made(subject: Subject, follower: Follower, file: SourceFile, call: ast.Call) -> tuple[str, list[Quote]] | None:
    """Groups that a function makes, with the values it is given: ``add_weight_decay(model, args.weight_decay)``."""
    told: list[str] = []
    quotes = [subject.quote(file, call)]
    for name, node in [("", a) for a in call.args] + [(k.arg or "**", k.value) for k in call.keywords]:
        followed = follower.follow(file, node)
        text = ast.unparse(node)
        if followed.known and (name or followed.text != text):
            told.append(f"{name or text.rpartition('.')[2]}={followed.text}")
            quotes += followed.quotes[:2]
    if not told:
        return None
    called = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return f"groups of {called}({', '.join(told)})", quotes


def group(subject: Subject, follower: Follower, file: SourceFile, node: ast.Dict) -> tuple[str, list[Quote]]:
    """One group with its values followed, and what fills its list of parameters."""
    told: list[str] = []
    quotes = [subject.quote(file, node)]
    scope: ast.AST = subject.function_around(file, node) or file.tree
    for key, value in zip(node.keys, node.values, strict=True):
        name = str(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else "**"
        if name == "params":
            said = ast.unparse(value)
            if isinstance(value, ast.Name) and (filled := _filled(subject, file, scope, value.id)):
                said += " (" + "; ".join(text for text, _ in filled) + ")"
                quotes += [quote for _, quote in filled]
            told.insert(0, f"params={said}")
            continue
        followed = follower.follow(file, value)
        text = ast.unparse(value)
        told.append(f"{name}={followed.text}" + (f" ({text})" if followed.known and followed.text != text else ""))
        quotes += followed.quotes[:3]
    return "group {" + ", ".join(told) + "}", quotes


def added_groups(subject: Subject, follower: Follower, file: SourceFile, call: ast.Call) -> Iterator[tuple[str, list[Quote]]]:
    """Groups added in the function that makes the optimizer, after it: ``optimizer.add_param_group({...})``."""
    function = subject.function_around(file, call)
    for node in ast.walk(function if function is not None else file.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_param_group" and node.args:
            argument = node.args[0]
            made = _as_group(argument)
            yield group(subject, follower, file, made) if made is not None else (f"group {ast.unparse(argument)}", [subject.quote(file, node)])


def _filled(subject: Subject, file: SourceFile, scope: ast.AST, name: str, conditions: Conditions | None = None) -> list[tuple[str, Quote]]:
    """What is appended to a list, with the condition under which: ``weight, if isinstance(v, nn.BatchNorm2d)``."""
    found: list[tuple[str, Quote]] = []

    def walk(statements: list[ast.stmt], condition: str) -> None:
        for statement in statements:
            if isinstance(statement, ast.If):
                test = ast.unparse(statement.test)
                above = condition + " and " if condition else ""
                walk(statement.body, above + test)
                walk(statement.orelse, f"{above}not ({test})")
                continue
            for block in ("body", "orelse", "finalbody"):
                inner = getattr(statement, block, None)
                if isinstance(inner, list):
                    walk(inner, "" if isinstance(statement, (ast.For, ast.While)) else condition)  # what decides about a loop says nothing about its items
            if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "extend") and isinstance(call.func.value, ast.Name) and call.func.value.id == name and call.args and not (conditions is not None and conditions.off(file, statement)):
                what = ast.unparse(call.args[0])
                note = file.line(statement.lineno).partition("#")[2].strip()
                found.append((f"{what} if {condition}" * bool(condition) or what, subject.quote(file, statement)))
                if note:
                    found[-1] = (f"{found[-1][0]}: “{note}”", found[-1][1])

    walk(getattr(scope, "body", []), "")
    return found[:4]
