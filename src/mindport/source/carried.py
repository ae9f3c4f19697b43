"""Libraries that a project takes along: their source, as far as the project reaches it by imports, beside its own.

``--with timm`` reads the package of the environment that mindport runs in, ``--with timm=FOLDER`` one that lies elsewhere. Nothing is imported or run:
the files are found by their names, and imports are followed as the text has them. A file that imports by names that only a run knows
(``import_module(name)``, a module's ``__getattr__``) takes its whole package along.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath

from mindport.source import file as python_file
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile
from mindport.source.other_spellings import unified

#: What stands in packages and is no data of theirs.
_NO_DATA = (".py", ".pyi", ".pyc", ".pyx", ".so", ".pyd", ".dll", ".dylib", ".c", ".cpp", ".cu", ".h", ".ipynb")
#: The library whose uses become MindSpore's: its own source is not taken along.
_CONVERTED = "torch"
_LICENCES = ("LICENSE", "LICENCE", "COPYING", "NOTICE")


class NotCarried(ValueError):
    """A library that cannot be taken along; the message says why, and what to do."""


@dataclass(frozen=True)
class Library:
    """One package, or one module in a file: its top-level name, and where it stands."""

    name: str
    place: Path

    @staticmethod
    def named(text: str) -> Library:
        """What ``NAME`` or ``NAME=FOLDER`` means; the folder is the package's own or the one that holds it. Raises `NotCarried`."""
        name, _, folder = text.partition("=")
        if name == _CONVERTED:
            raise NotCarried(f"{name} is what is converted; name libraries that are built on it")
        if not name.isidentifier():
            raise NotCarried(f"{text}: {name!r} is no name of a package; say --with timm, or --with timm=FOLDER")
        if folder:
            place = Path(folder).absolute()
            candidates = [place / name, place / f"{name}.py", place] if place.is_dir() else [place]
            found = next((c for c in candidates if (c / "__init__.py").is_file() or c.is_file() and c.suffix == ".py"), None)
            if found is None:
                raise NotCarried(f"{text}: there is no package {name} in {folder}; name the folder that holds {name}/__init__.py")
            return Library(name, found)
        spec = PathFinder.find_spec(name)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            raise NotCarried(f"there is no package {name} in this environment; name its folder: --with {name}=FOLDER")
        origin = Path(spec.origin)
        return Library(name, origin.parent if origin.name == "__init__.py" else origin)

    @property
    def distribution(self) -> Distribution | None:
        """What is known of the installation: its version, licence and their files."""
        spelled = self.name.replace("_", "-").lower()
        for found in distributions(path=[str(self.place.parent)]):
            tops = (found.read_text("top_level.txt") or "").split()
            if self.name in tops or (found.metadata["Name"] or "").replace("_", "-").lower() == spelled:
                return found
        return None

    def path(self, module: str) -> Path | None:
        """The file of a module of the library (``timm.layers.drop``), a package's ``__init__``; None where there is none."""
        inner = module.split(".")[1:]
        if self.place.is_file():
            return None if inner else self.place
        folder = self.place.joinpath(*inner)
        return next((p for p in (folder / "__init__.py", folder.with_suffix(".py")) if p.is_file()), None)

    def relative(self, path: Path) -> PurePosixPath:
        """Where a file of the library stands in the project that takes it along."""
        return PurePosixPath(self.name, path.relative_to(self.place).as_posix()) if self.place.is_dir() else PurePosixPath(f"{self.name}.py")


def carry(found: Discovery, libraries: Sequence[Library]) -> None:
    """Add what the project reaches of `libraries` to a discovery: files, findings of those that cannot be read, data that lies beside them, licences.

    Raises `NotCarried` where a library's name is taken in the project, where the project's own root is a package, or where nothing imports the library.
    """
    if any(file.relative == PurePosixPath("__init__.py") for file in found.files):
        raise NotCarried(f"{found.root} is a package itself: libraries stand beside it; name the folder above it")
    by_name = {library.name: library for library in libraries}
    for library in libraries:
        if any(file.relative.parts[0].removesuffix(".py") == library.name for file in found.files):
            raise NotCarried(f"the project has a {library.name} of its own")
    walk = _Walk(found, by_name)
    for file in list(found.files):
        walk.follow(file, "")
    walk.run()
    for library in libraries:
        if library.name not in walk.reached:
            raise NotCarried(f"no file of the project imports {library.name}")
        found.carried += ((path, library.relative(path)) for path in _data(library))
        found.carried += ((path, PurePosixPath(library.name, path.name)) for path in _licences(library) if library.place.is_dir())
    found.files = unified(sorted(found.files, key=lambda file: file.relative))
    found.findings.sort(key=lambda finding: (finding.path, finding.span is not None, finding.span, finding.code))


class _Walk:
    """The way along imports from the project's files into the libraries."""

    def __init__(self, found: Discovery, libraries: dict[str, Library]) -> None:
        self.found, self.libraries = found, libraries
        self.waiting: list[str] = []
        self.seen: set[str] = set()
        self.reached: set[str] = set()

    def run(self) -> None:
        while self.waiting:
            module = self.waiting.pop()
            library = self.libraries[module.partition(".")[0]]
            path = library.path(module)
            if path is None:
                continue
            file, problems = python_file.load(path, library.relative(path))
            self.found.findings += problems
            if file is None:  # as a project's own: told, and copied as it is
                self.found.carried.append((path, library.relative(path)))
                continue
            file.library = library.name
            self.found.files.append(file)
            self.reached.add(library.name)
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            self.follow(file, package)
            if _imports_by_name(file):
                self._whole(library, package or module)

    def follow(self, file: SourceFile, package: str) -> None:
        """Note the libraries' modules that a file imports; `package` is what its dots start from."""
        for node in file.nodes:
            for module in _modules(node, package):
                self._note(module)

    def _note(self, module: str) -> None:
        parts = module.split(".")
        if parts[0] in self.libraries:
            for end in range(1, len(parts) + 1):  # the packages that hold it run first
                name = ".".join(parts[:end])
                if name not in self.seen:
                    self.seen.add(name)
                    self.waiting.append(name)

    def _whole(self, library: Library, package: str) -> None:
        folder = library.place.joinpath(*package.split(".")[1:])
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else ():
            inner = library.relative(path).with_suffix("").parts
            self._note(".".join(inner[:-1] if inner[-1] == "__init__" else inner))


def _data(library: Library) -> Iterator[Path]:
    """What lies in the package and is no source: weights, tables, configurations."""
    for path in sorted(library.place.rglob("*")) if library.place.is_dir() else ():
        if path.is_file() and path.suffix not in _NO_DATA and "__pycache__" not in path.parts:
            yield path


def _modules(node: ast.AST, package: str) -> Iterator[str]:
    """What an import statement may mean: modules, and names of them that may be modules."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join([*above, *([node.module] if node.module else [])])
        if source and (not node.level or above and above[0]):
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names if alias.name != "*")


def _imports_by_name(file: SourceFile) -> bool:
    """Whether a file imports modules whose names its text does not show."""
    if any(isinstance(statement, ast.FunctionDef) and statement.name == "__getattr__" for statement in file.tree.body):
        return True
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in ("import_module", "__import__")
        and not (node.args and isinstance(node.args[0], ast.Constant))
        for node in file.nodes
    )  # fmt: skip


def _licences(library: Library) -> list[Path]:
    known = library.distribution
    listed = [Path(str(known.locate_file(file))) for file in known.files or () if file.name.upper().startswith(_LICENCES)] if known is not None else []
    beside = [path for folder in (library.place, library.place.parent) if known is None and folder.is_dir() for path in sorted(folder.iterdir()) if path.name.upper().startswith(_LICENCES)]
    return list({path.name: path for path in [*listed, *beside] if path.is_file()}.values())
