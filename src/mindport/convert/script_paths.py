"""How files reach the vendored module: Python looks for modules beside the script that it runs, and a script is in no package.

* ``python examples/train.py`` does not see the project's root, where the vendored module stands: such scripts put it on the path.
* A folder with an ``__init__.py`` whose files import each other by their plain names is run from inside; nothing in it is a package's.
* A script inside of a package (``python package/tools/train.py``) names the vendored module from the package's root.
* Libraries that are taken along stand in the root, before the installed ones.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import PurePosixPath

from mindport.convert.imports import ENDS_HEAD
from mindport.convert.vendor import MODULE
from mindport.inference import Project
from mindport.inference.imports import ModuleIndex, module_name
from mindport.inference.overlays.libraries import STDLIB
from mindport.inference.scopes import ModuleScope
from mindport.source.edits import Edit, apply
from mindport.source.file import SourceFile
from mindport.source.main_block import is_main_block


@dataclass(frozen=True)
class Reach:
    """Where the vendored module stands (`home`), whether that folder is used as a package, and which files are `scripts`:
    files that name it from the root, and which of them do `not see` the root. `carried`: files of libraries that are taken along."""

    home: PurePosixPath
    package: bool
    scripts: frozenset[PurePosixPath]
    blind: frozenset[PurePosixPath]
    direct: dict[PurePosixPath, frozenset[PurePosixPath]]
    carried: frozenset[PurePosixPath]

    @property
    def whole(self) -> str:
        """The vendored module's absolute name; "" in a package that is the root, whose own name nothing tells."""
        return ".".join((*self.home.parts, MODULE)) if self.package and self.home.parts else "" if self.package else MODULE

    def module(self, place: PurePosixPath) -> str:
        """How a file names the vendored module: relative inside of its package, absolute otherwise."""
        if not self.package:
            return MODULE
        if place in self.scripts and self.whole:
            return self.whole
        return "." * (len(place.parts) - len(self.home.parts)) + MODULE

    def with_paths(self, texts: dict[PurePosixPath, str], notebooks: frozenset[PurePosixPath]) -> dict[PurePosixPath, str]:
        """The texts of the scripts that do not see the root and need the vendored module, with the lines that put it on the path."""
        found = {place for place in self.blind if self._needs(place, texts)}
        base = PurePosixPath() if self.package else self.home
        return {place: _with_path(texts[place], len(place.parent.relative_to(base).parts), place in notebooks, bool(self.carried)) for place in found}

    def _needs(self, start: PurePosixPath, texts: dict[PurePosixPath, str]) -> bool:
        seen, pending = {start}, [start]
        while pending:
            place = pending.pop()
            if place in self.carried or f"from {self.module(start)} import" in texts.get(place, ""):
                return True
            new = self.direct.get(place, frozenset()) - seen
            seen |= new
            pending.extend(new)
        return False


def reach(files: list[SourceFile], project: Project, home: PurePosixPath) -> Reach:
    """How `files` reach the vendored module in `home`.

    A script is a file outside of packages that no other one imports, or one that says ``if __name__ == "__main__"``, has no relative imports, and
    is not both imported and in a package. A folder whose files import each other by plain names is no package, whatever stands in it, and one above
    that holds such folders alone is none either. One that imports something by its name from the root sees the root, if not only behind its head.
    """
    modules = project.modules
    by_name = {module_name(file): file.relative for file in files}
    packages = {file.relative.parent for file in files if file.relative.name == "__init__.py"}
    inside = {folder for folder in packages if folder != home and _run_from_inside(files, folder, by_name)}
    direct = {file.relative: frozenset(_imported(file, modules.modules.get(module_name(file)), modules, by_name)) for file in files}
    imported = {place for source, found in direct.items() for place in found - {source}}
    outside = any(file.relative != home / "__init__.py" and not inside.intersection(file.relative.parents) for file in files)
    package = home in packages and outside and not _run_from_inside(files, home, by_name)
    base = PurePosixPath() if package else home  # what must be on the path
    prefix = ".".join((*base.parts, ""))
    libraries = {file.library for file in files}
    scripts, blind = set(), set()
    for file in files:
        place = file.relative
        if file.library:
            continue
        held, within = place in imported, place.parent in packages - inside and (package or place.parent != home)
        if place.name == "__init__.py" or _is_relative(file.tree) or held and within or (held or within) and not any(map(is_main_block, file.tree.body)):
            continue
        scripts.add(place)
        if place.parent != base and not any(
            name.split(".")[0] not in libraries and (prefix + name in by_name or modules.is_folder(prefix + name)) for name in _absolute(_seen(file.tree))
        ):
            blind.add(place)
    return Reach(home, package, frozenset(scripts), frozenset(blind), direct, frozenset(file.relative for file in files if file.library))


def _run_from_inside(files: list[SourceFile], home: PurePosixPath, by_name: dict[str, PurePosixPath]) -> bool:
    """Whether the files of a folder with an ``__init__.py`` import each other by plain names, and none of them by dots that lead to the folder itself.

    What the ``__init__.py`` itself imports says nothing: it never runs where the others find each other."""
    own = [file for file in files if file.relative.is_relative_to(home) and file.relative != home / "__init__.py"]
    prefix = ".".join((*home.parts, ""))
    return not any(_leads_to(file, home) for file in own) and any(
        f"{prefix}{name}" in by_name and not (prefix and (name in by_name or name in STDLIB)) for file in own if file.relative.parent == home for name in _absolute(file.tree)
    )


def _leads_to(file: SourceFile, home: PurePosixPath) -> bool:
    """Whether a relative import of a file names `home`, or what is above it: ``from ..base import x`` in ``home/networks/``."""
    deep = len(file.relative.parent.parts) - len(home.parts)
    return any(isinstance(node, ast.ImportFrom) and node.level > deep for node in file.nodes)


def _imported(file: SourceFile, scope: ModuleScope | None, modules: ModuleIndex, by_name: dict[str, PurePosixPath]) -> set[PurePosixPath]:
    """The project's files that a file imports."""
    if scope is None:
        return set()
    names: set[str | None] = set()
    for node in file.nodes:
        if isinstance(node, ast.Import):
            names |= {modules.absolute(alias.name, scope) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = modules.relative(node.level, node.module, scope) if node.level else modules.absolute(node.module or "", scope)
            names |= {source, *(f"{source}.{alias.name}" if source else alias.name for alias in node.names if source is not None)}
    return {by_name[name] for name in names if name in by_name}


def _seen(tree: ast.Module) -> ast.Module:
    """The file less the imports behind its head, where the vendored module is imported: what was run in between may have put the root on the path."""
    end = next((at for at, statement in enumerate(tree.body) if isinstance(statement, ENDS_HEAD)), len(tree.body))
    behind = [statement for statement in tree.body[end:] if not isinstance(statement, ast.Import | ast.ImportFrom)]
    return ast.Module([*tree.body[:end], *behind], [])


def _absolute(tree: ast.Module) -> set[str]:
    """The module names that a file imports without dots in front."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module)
    return found


def _is_relative(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))


def _with_path(text: str, up: int, notebook: bool, first_of_all: bool) -> str:
    """The text with the folder that is `up` folders above its own on the path before the first import, searched last or `first_of_all`."""
    tree = ast.parse(text)
    first = next((s for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom)) and getattr(s, "module", None) != "__future__"), None)
    if first is None:
        return text
    lines = text.splitlines(keepends=True)
    at = sum(len(line) for line in lines[: first.lineno - 1])
    root = f"Path.cwd().parents[{up - 1}]" if notebook else f"Path(__file__).resolve().parents[{up}]"
    put, why = ("insert(0, ", f"{MODULE}.py and the libraries taken along stand there") if first_of_all else ("append(", f"{MODULE}.py stands there")
    line = f"sys.path.{put}str({root}))  # {why}\n"
    return apply(text, [Edit.insert(at, f"import sys\nfrom pathlib import Path\n\n{line}\n")])
