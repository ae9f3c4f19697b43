"""Signatures as text, from torch's ``.pyi`` files and from the sources of its Python code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from mindport.source.walking import walk

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def signature(node: _Function, drop_first: bool = False) -> str:
    """``(a: int, b=1) -> Tensor``; `drop_first` leaves ``self`` out."""
    arguments = node.args
    if drop_first:
        holder = arguments.posonlyargs or arguments.args
        if holder:
            first = holder.pop(0)
            written = ast.unparse(arguments)
            holder.insert(0, first)
        else:
            written = ast.unparse(arguments)
    else:
        written = ast.unparse(arguments)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({written}){returned}".replace("\n", " ")


def _stub_functions(body: list[ast.stmt], drop_first: bool = False) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in statement.decorator_list)
            found.setdefault(statement.name, []).append(signature(statement, drop_first and not static))
    return found


class Sources:
    """torch's files under one folder, parsed when asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._trees: dict[str, ast.Module] = {}
        self._lines: dict[str, dict[int, _Function]] = {}

    def _tree(self, path: Path | str) -> ast.Module:
        key = str(path)
        if key not in self._trees:
            self._trees[key] = ast.parse(Path(path).read_text(encoding="utf-8"))
        return self._trees[key]

    @cached_property
    def variable_functions(self) -> dict[str, list[str]]:
        """``torch.*`` functions written in C++, all overloads."""
        return _stub_functions(self._tree(self.folder / "_C" / "_VariableFunctions.pyi").body)

    @cached_property
    def functional(self) -> dict[str, list[str]]:
        """``torch.nn.functional``."""
        found = _stub_functions(self._tree(self.folder / "_C" / "_nn.pyi").body)
        return found | _stub_functions(self._tree(self.folder / "nn" / "functional.pyi").body)

    def function(self, full: str, value: Any) -> list[str]:
        """Signatures of a function, or of the factory object that stands for one."""
        module, _, name = full.rpartition(".")
        if module == "torch.nn.functional" and name in self.functional:
            return self.functional[name]
        written = self._written(value)
        if written is not None:
            return [signature(written)]
        if module in ("torch", "torch.nn.functional") and name in self.variable_functions:
            return self.variable_functions[name]
        return self._from_docstring(value)

    def method(self, cls: type, name: str) -> list[str]:
        """Signatures of a method of a class, without ``self``."""
        value = vars(cls).get(name)
        if isinstance(value, property):
            value = value.fget
        static = isinstance(value, staticmethod)
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        written = self._written(value)
        if written is None and name == "__init__" and "__new__" in vars(cls):
            written = self._written(vars(cls)["__new__"])
        if written is None:
            return []
        return [signature(written, drop_first=not static)]

    def _written(self, value: Any) -> _Function | None:
        """The definition a function object comes from; its wrappers are looked through."""
        if value is None:
            return None
        value = inspect.unwrap(value) if callable(value) else value
        code = getattr(value, "__code__", None)
        if code is None or not code.co_filename.startswith(str(self.folder)):
            return None
        node = self._by_line(code.co_filename).get(code.co_firstlineno)
        return node if node is not None and node.name == code.co_name else None

    def _by_line(self, path: str) -> dict[int, _Function]:
        if path not in self._lines:
            self._lines[path] = {}
            for node in walk(self._tree(path)):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    first = min([d.lineno for d in node.decorator_list], default=node.lineno)
                    self._lines[path][first] = node
        return self._lines[path]

    def _from_docstring(self, value: Any) -> list[str]:
        """``linalg.norm(A, ord=None, …) -> Tensor`` at the start of a docstring."""
        text = inspect.getdoc(value) or ""
        name = getattr(value, "__name__", "").removeprefix("linalg_").removeprefix("fft_").removeprefix("special_")
        for line in text.splitlines()[:3]:
            match = re.match(rf"(?:torch\.)?(?:[\w.]*\.)?(?:\w*_)?{re.escape(name)}(\(.*\))\s*(?:->\s*(.+))?$", line.strip())
            if match is None:
                continue
            returned = (match.group(2) or "Tensor").strip().strip("`")
            returned = re.sub(r"^\((.*)\)$", r"tuple[\1]", returned).replace("LongTensor", "Tensor")
            candidate = f"{match.group(1)} -> {returned}"
            try:
                ast.parse(f"def f{candidate}: ...")
            except SyntaxError:
                candidate = "(*args, **kwargs) -> " + (returned if returned.isidentifier() else "Tensor")
            return [candidate]
        return []

    def tensor_members(self) -> dict[str, str]:
        """``torch.Tensor``: records of methods and attributes from the C++ base's stub and ``_tensor.py``."""
        records: dict[str, str] = {}
        stub = self._tree(self.folder / "_C" / "__init__.pyi")
        for tree, name in ((stub, "TensorBase"), (self._tree(self.folder / "_tensor.py"), "Tensor")):
            body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
            for member, record in _class_records(body):
                if member not in records or (name == "Tensor" and len(record) > 1):  # detach = _add_docstr(…) says nothing
                    records[member] = record
        return {name: record for name, record in records.items() if not name.startswith("_") or name.startswith("__")}

    def return_types(self) -> dict[str, list[str]]:
        """``torch.return_types``: the fields of each named tuple, in order, as ``name: type``."""
        found: dict[str, list[str]] = {}
        for node in self._tree(self.folder / "return_types.pyi").body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = [
                    f"{m.name}: {ast.unparse(m.returns)}"
                    for m in node.body
                    if isinstance(m, ast.FunctionDef) and m.returns is not None and not m.name.startswith("__")
                ]
        return found

    def attributes(self, cls: type) -> dict[str, str]:
        """Attributes that a class declares in its body or sets in its own methods, with their types."""
        try:
            path = inspect.getsourcefile(cls)
        except TypeError:
            return {}
        if path is None or not path.startswith(str(self.folder)):
            return {}
        node = next(
            (n for n in walk(self._tree(path)) if isinstance(n, ast.ClassDef) and n.name == cls.__name__), None
        )
        if node is None:
            return {}
        found: dict[str, str] = {}
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                found[statement.target.id] = ast.unparse(statement.annotation)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name in ("__init__", "__setstate__"):
                found = _self_stores(statement) | found
        return found


def _class_records(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    overloads: dict[str, list[str]] = {}
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, "a" + ast.unparse(statement.annotation)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            decorators = {ast.unparse(d) for d in statement.decorator_list}
            if any(d == "property" or d.endswith((".setter", ".getter")) for d in decorators):
                if "property" in decorators or any(d.endswith(".getter") for d in decorators):
                    yield statement.name, "a" + (ast.unparse(statement.returns) if statement.returns else "")
                continue
            overloads.setdefault(statement.name, []).append(signature(statement, drop_first=True))
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id not in overloads:
                    yield target.id, "f" if target.id.startswith("__") else "a"
    for name, signatures in overloads.items():
        yield name, "f" + "\n".join(signatures)


def _self_stores(function: ast.FunctionDef) -> dict[str, str]:
    arguments = function.args
    annotated = {
        a.arg: ast.unparse(a.annotation)
        for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if a.annotation is not None
    }
    found: dict[str, str] = {}
    for node in walk(function):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                if isinstance(node.value, ast.Name):
                    kind = annotated.get(node.value.id, "")
                elif isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in ("Parameter", "nn.Parameter"):
                    kind = "Parameter"
                found.setdefault(target.attr, kind)
    return found
