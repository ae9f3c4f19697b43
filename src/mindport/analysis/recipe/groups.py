"""Parameter groups of an optimizer: what each is given, followed to its values, and which parameters it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Function, Subject
from mindport.source.file import SourceFile


def written_groups(subject: Subject, follower: Follower, file: SourceFile, node: ast.expr) -> Iterator[tuple[str, list[Quote]]]:
    """(text, places) of groups that an optimizer is given: a list of dicts, or a name that holds one."""
    function = subject.function_around(file, node)
    if isinstance(node, ast.Name) and function is not None:
        assigned = [n.value for n in ast.walk(function) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in n.targets)]
        lists = [value for value in assigned if isinstance(value, ast.List) and any(isinstance(i, ast.Dict) for i in value.elts)]
        if lists:
            node = lists[-1]
        elif filled := _filled(subject, file, function, node.id):
            yield f"{node.id}: " + "; ".join(text for text, _ in filled), [quote for _, quote in filled]
            return
    if isinstance(node, (ast.List, ast.Tuple)):
        for item in node.elts:
            if isinstance(item, ast.Dict):
                yield group(subject, follower, file, item)


def group(subject: Subject, follower: Follower, file: SourceFile, node: ast.Dict) -> tuple[str, list[Quote]]:
    """One group with its values followed, and what fills its list of parameters."""
    told: list[str] = []
    quotes = [subject.quote(file, node)]
    function = subject.function_around(file, node)
    for key, value in zip(node.keys, node.values, strict=True):
        name = str(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else "**"
        if name == "params":
            said = ast.unparse(value)
            if isinstance(value, ast.Name) and function is not None and (filled := _filled(subject, file, function, value.id)):
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
            yield group(subject, follower, file, argument) if isinstance(argument, ast.Dict) else (f"group {ast.unparse(argument)}", [subject.quote(file, node)])


def _filled(subject: Subject, file: SourceFile, function: Function, name: str) -> list[tuple[str, Quote]]:
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
            if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "extend") and isinstance(call.func.value, ast.Name) and call.func.value.id == name and call.args:
                what = ast.unparse(call.args[0])
                note = file.line(statement.lineno).partition("#")[2].strip()
                found.append((f"{what} if {condition}" * bool(condition) or what, subject.quote(file, statement)))
                if note:
                    found[-1] = (f"{found[-1][0]}: “{note}”", found[-1][1])

    walk(function.body, "")
    return found[:4]
