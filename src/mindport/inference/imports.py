"""Which module an import statement means: one of the project's, or one outside."""

from __future__ import annotations

import ast

from mindport.inference.facts import Facts
from mindport.inference.overlays.libraries import STDLIB, is_torch_based, root
from mindport.inference.scopes import ModuleScope
from mindport.source.file import SourceFile
from mindport.source.walking import walk


def module_name(file: SourceFile) -> str:
    """The dotted name of a file from the project's root; a root package's ``__init__`` is ""."""
    parts = list(file.relative.with_suffix("").parts)
    if parts and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


class ModuleIndex:
    """The project's modules by name, and by the end of their names.

    A project's root need not be on the import path: ``from models.net import Net`` in
    ``work/train.py`` means ``work/models/net.py``. So an absolute name that is not found from the
    root is looked for beside the importing file, then in its parents, then anywhere it is unique; of
    libraries that are taken along only from the root.
    """

    def __init__(self, modules: dict[str, ModuleScope], around: str = "") -> None:
        self.modules = modules
        self.around = around
        self._by_last: dict[str, list[str]] = {}
        self._packages = set()
        self._folders: dict[str, ModuleScope] = {}
        for name, scope in modules.items():
            if not scope.file.library:
                self._by_last.setdefault(name.rpartition(".")[2], []).append(name)
            head = name.rpartition(".")[0]
            while head:
                self._packages.add(head)
                head = head.rpartition(".")[0]

    def is_folder(self, name: str) -> bool:
        """Whether modules stand in a folder of that name (a namespace package)."""
        return name in self._packages

    def folder(self, name: str) -> ModuleScope:
        """A folder without ``__init__``: it binds nothing of its own, and its modules are looked up by its name."""
        if name not in self._folders:
            self._folders[name] = ModuleScope(name, SourceFile.of("", f"{name.replace('.', '/')}/__init__.py"), Facts())
        return self._folders[name]

    def absolute(self, name: str, importer: ModuleScope) -> str | None:
        """The project's own name of an absolute module name; None where it is outside."""
        if self.around and (name == self.around or name.startswith(self.around + ".")):
            inside = name[len(self.around) + 1 :]
            return inside if inside in self.modules or inside in self._packages else None
        if name in self.modules:
            top = root(name)
            if top in STDLIB or (is_torch_based(top) and top not in self.modules and not self.is_folder(top)):
                return None
            return name
        top = root(name)
        if name in self._packages:
            beside = f"{importer.name.rpartition('.')[0]}.{name}"  # a script in a folder of its own name: what is a module wins over a folder
            return beside if beside in self.modules and top not in STDLIB and not importer.file.library and not importer.is_package else name
        head = "" if importer.file.library else importer.name if importer.is_package else importer.name.rpartition(".")[0]
        while head:
            candidate = f"{head}.{name}"
            if top not in STDLIB and not is_torch_based(top) and (candidate in self.modules or candidate in self._packages):
                return candidate
            if (head.rpartition(".")[2] == top or head == top) and self._may_be_top(head, top):  # the root is inside the package itself
                inner = f"{head}{name[len(top):]}"
                if inner in self.modules:
                    return inner
            head = head.rpartition(".")[0]
        if top in STDLIB or is_torch_based(top) or importer.file.library:
            return None
        ends = [n for n in self._by_last.get(name.rpartition(".")[2], ()) if n.endswith(f".{name}")]
        return ends[0] if len(ends) == 1 else None

    def _may_be_top(self, folder: str, top: str) -> bool:
        """Whether a folder may be what its name means to Python: a package's part called as a library (``mine/torch/cells.py``) is none."""
        return not (top in STDLIB or is_torch_based(top)) or top != "torch" and folder.rpartition(".")[0] not in self.modules

    def relative(self, level: int, name: str | None, importer: ModuleScope) -> str | None:
        """The dotted name that ``from ..name import`` means; None where it leaves the project.

        `above` says what it means then.
        """
        parts = importer.name.split(".") if importer.name else []
        if not importer.is_package:
            if not parts:
                return None
            parts.pop()
        up = level - 1
        if up > len(parts):
            return None
        base = parts[: len(parts) - up] if up else parts
        return ".".join([*base, *(name.split(".") if name else [])])


def above(around: str, importer: ModuleScope, level: int, name: str | None) -> str | None:
    """The absolute name of a relative import that leaves the project's root; None where it is not known."""
    full = f"{around}.{importer.name}" if importer.name else around
    parts = full.split(".")
    if not importer.is_package:
        parts.pop()
    up = level - 1
    if not around or up >= len(parts):
        return None
    return ".".join([*parts[: len(parts) - up], *(name.split(".") if name else [])])


def package_around(file: SourceFile) -> str:
    """The dotted package that the project's root is, by the ``__init__.py`` files in and above it; "" for none."""
    folder = file.path
    for _ in file.relative.parts:
        folder = folder.parent
    parts: list[str] = []
    if not file.path.is_absolute():
        return ""
    try:
        while (folder / "__init__.py").is_file() and folder.parent != folder:
            parts.insert(0, folder.name)
            folder = folder.parent
    except OSError:
        return ""
    return ".".join(parts)


def exported(module: ModuleScope) -> frozenset[str] | None:
    """The names in ``__all__``, as literals; None where a module has none."""
    found: set[str] | None = None
    for statement in module.file.tree.body:
        value: ast.expr | None = None
        if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in statement.targets):
            value = statement.value
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)) and isinstance(statement.target, ast.Name):
            value = statement.value if statement.target.id == "__all__" else None
        if value is not None:
            found = found or set()
            found |= {n.value for n in walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(found) if found is not None else None
