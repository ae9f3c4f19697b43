"""A file's imports: which torch names go, which MindSpore names come, under which local name.

Every torch import goes, because every use is either converted or re-rooted at one leftover
name `torch` (see `vendor.py`). New names come in at the place of the first torch import, in
the forms that MindSpore users write. A local name is taken only if the file binds it nowhere
else, in any scope; otherwise the import gets an alias.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass, field

from mindport.convert.editing import Editing
from mindport.source.walking import walk

#: The local name to fall back on when the usual one is taken.
_ALIAS = "ms_{}"
#: Statements that end the head of a file, in which its imports stand.
ENDS_HEAD = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)


@dataclass
class Imports:
    """What a converted file imports; asked for by name while edits are planned."""

    bound: set[str]  # names that the file binds other than by imports that go
    wanted: dict[tuple[str, str | None], str] = field(default_factory=dict)

    def local(self, module: str, name: str | None, usual: str) -> str:
        """The local name for `from module import name` (or `import module`), requesting it."""
        key = (module, name)
        if key not in self.wanted:
            taken = self.bound | set(self.wanted.values())
            choice = usual
            if choice in taken or choice in vars(builtins):
                choice = _ALIAS.format(usual)
            number = 2
            while choice in taken:
                choice, number = f"{_ALIAS.format(usual)}_{number}", number + 1
            self.wanted[key] = choice
        return self.wanted[key]

    def forget(self, own: str, text: str) -> None:
        """Functions of the module `own` that only a dropped argument wanted. Constants are imported for what importing them does, the module for texts of other files."""
        words = set(re.findall(r"\w+", text))
        self.wanted = {key: local for key, local in self.wanted.items() if key[0] != own or key[1] is None or not local[:1].islower() or local in words}

    def lines(self, own: str, mine: bool) -> list[str]:
        """The import lines, as a person would write them: of the module `own`, or of all others."""
        plain: list[str] = []
        named: dict[str, list[str]] = {}
        for (module, name), local in self.wanted.items():
            if (module == own) is not mine:
                continue
            if name is None:
                plain.append(f"import {module}" if local == module else f"import {module} as {local}")
            else:
                named.setdefault(module, []).append(name if local == name else f"{name} as {local}")
        lines = sorted(plain)
        for module in sorted(named):
            line = f"from {module} import {', '.join(sorted(named[module], key=_isort))}"
            if len(line) > 100:
                inner = "".join(f"    {n},\n" for n in sorted(named[module], key=_isort))
                line = f"from {module} import (\n{inner})"
            lines.append(line)
        return lines


def _isort(name: str) -> tuple[int, str]:
    """Constants, classes, functions: the order that import sorters use."""
    plain = name.split(" as ")[0]
    return (0 if plain.isupper() else 1 if plain[:1].isupper() else 2, plain.lower())


@dataclass(frozen=True)
class TorchImport:
    """One import statement that binds torch names, with the aliases to take out of it."""

    statement: ast.Import | ast.ImportFrom
    aliases: tuple[ast.alias, ...]
    block: list[ast.stmt]

    @property
    def whole(self) -> bool:
        """Whether nothing of the statement stays."""
        return len(self.aliases) == len(self.statement.names)


def statements(tree: ast.Module) -> list[tuple[ast.Import | ast.ImportFrom, list[ast.stmt]]]:
    """All import statements of a file with the block that holds each."""
    found: list[tuple[ast.Import | ast.ImportFrom, list[ast.stmt]]] = []
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                for statement in block:
                    if isinstance(statement, (ast.Import, ast.ImportFrom)):
                        found.append((statement, block))
                    elif isinstance(statement, ast.stmt):
                        stack.append(statement)
        stack.extend(getattr(node, "handlers", ()) or ())
        stack.extend(getattr(node, "cases", ()) or ())
    found.sort(key=lambda pair: pair[0].lineno)
    return found


def local_name(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """The name that an alias binds."""
    if alias.asname:
        return alias.asname
    return alias.name.split(".")[0] if isinstance(statement, ast.Import) else alias.name


def bound_names(tree: ast.Module, going: set[int]) -> set[str]:
    """Every name that the file binds in any scope, leaving out the aliases whose id is in `going`."""
    names: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.ExceptHandler(name=str(name)):
                names.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                names.add(name)
            case ast.Import() | ast.ImportFrom():
                names.update(local_name(node, a) for a in node.names if id(a) not in going and a.name != "*")
    return names


def without(going: list[TorchImport], kept: set[str]) -> list[TorchImport]:
    """The imports that go, less the aliases that bind a name in `kept`."""
    less = [
        TorchImport(item.statement, tuple(a for a in item.aliases if local_name(item.statement, a) not in kept), item.block)
        for item in going
    ]
    return [item for item in less if item.aliases]


def rewrite(editing: Editing, torch_imports: list[TorchImport], lines: list[str], last: list[str]) -> None:
    """Take the torch imports out; put `lines` where the first top-level one stood, `last` after all imports."""
    if last:
        going = {local_name(item.statement, alias) for item in torch_imports for alias in item.aliases}
        place = _header_end(editing, going)
        editing.insert(place, "\n".join(last) + "\n")
    top = [t for t in torch_imports if t.statement in editing.file.tree.body]
    placed = not lines
    gone = {id(item.statement) for item in torch_imports if item.whole}
    for item in torch_imports:
        here = "" if placed or (top and item is not top[0]) or not top else "\n".join(lines)
        placed = placed or bool(here)
        _take_out(editing, item, here, gone)
    if not placed:
        editing.insert(_after_docstring(editing), "\n".join(lines) + "\n")


def _take_out(editing: Editing, item: TorchImport, here: str, gone: set[int]) -> None:
    statement = item.statement
    start, end = editing.span(statement)
    if not item.whole:
        kept = [a for a in statement.names if a not in item.aliases]
        names = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in kept)
        if isinstance(statement, ast.ImportFrom):
            new = f"from {'.' * statement.level}{statement.module or ''} import {names}"
        else:
            new = f"import {names}"
        editing.replace(start, end, f"{here}\n{new}" if here else new)
    elif here:
        editing.replace(start, end, here)
    elif statement is item.block[0] and all(id(other) in gone for other in item.block):
        editing.replace(start, end, "pass")  # the block may not be empty
    else:
        editing.remove_statement(start, end)


def _header_end(editing: Editing, going: set[str]) -> int:
    """The offset of the line after the last import of the file's head, which ends where a name that the
    removed imports bound is used: a script or notebook imports again further down."""
    place = _after_docstring(editing)
    for statement in editing.file.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            place = editing.line_end(editing.span(statement)[1])
            continue
        used = any(isinstance(n, ast.Name) and n.id in going for n in ast.walk(statement))
        if used or isinstance(statement, ENDS_HEAD):
            break
    return place


def _after_docstring(editing: Editing) -> int:
    """Where imports may start: after the module docstring and ``from __future__`` lines."""
    place = 0
    for index, statement in enumerate(editing.file.tree.body):
        docstring = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not docstring and not future:
            break
        place = editing.line_end(editing.span(statement)[1])
    if place == 0:
        text = editing.file.text
        while text.startswith("#", place):  # shebang, encoding and licence lines stay on top
            place = editing.line_end(place)
    return place
