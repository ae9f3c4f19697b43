"""Rules for entries that need no framework: nothing accepted and ignored, nothing said twice."""

from __future__ import annotations

import ast
from collections import defaultdict

from mindport import catalog
from mindport.catalog import Catalog, Entry, KnowledgeModule
from mindport.convert.specialise import refusal_text
from tests.project.layout import KNOWLEDGE, each, package_files, room


def _read() -> Catalog:
    """All entries of the files that can be read; what cannot be read fails its own test, not the collection."""
    modules: dict[str, KnowledgeModule] = {}
    entries: list[Entry] = []
    for path in FILES:
        try:
            module = catalog.read_module(path, f"mindport.{path.parent.name}.{path.stem}")
            entries += catalog.read_entries(module)
        except (catalog.CatalogError, SyntaxError):
            continue
        modules[module.name] = module
    return Catalog(modules, entries)


FILES = [path for path in package_files() if room(path) in KNOWLEDGE and path.stem != "__init__"]
CATALOG = _read()
ENTRIES = CATALOG.entries


def test_the_whole_catalog_loads() -> None:
    assert [entry.key for entry in catalog.load().entries] == [entry.key for entry in ENTRIES]


def _id(entry: Entry) -> str:
    return entry.key


def _parameters(arguments: ast.arguments) -> list[str]:
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in plain + [extra for extra in (arguments.vararg, arguments.kwarg) if extra]]


def _is_constant(function: ast.FunctionDef) -> bool:
    """Is it ``return False``, true of every tensor in MindSpore?"""
    last = function.body[-1]
    return isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and len(function.body) <= 2


def _names(nodes: list[ast.stmt] | list[ast.expr]) -> set[str]:
    return {node.id for part in nodes for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


@each([entry for entry in ENTRIES if entry.callable], _id)
def test_every_parameter_is_used_refused_or_dropped(entry: Entry) -> None:
    function, arguments = entry.callable, entry.arguments
    assert function is not None and arguments is not None
    parameters = [name for name in _parameters(arguments) if not (name == "self" and _is_constant(function))]
    used = _names(function.body)
    # An in-place request is a statement about memory, not about the result: a difference may cover it.
    covered = {"inplace"} & {
        name for difference in entry.differs if difference.when for name in _names([ast.parse(difference.when, mode="eval").body])
    }
    for parameter in parameters:
        is_used, is_dropped = parameter in used, parameter in entry.drops
        assert is_used or is_dropped or parameter in covered, f"{parameter} is accepted and ignored ({entry.place})"
    assert all(reason.strip() for reason in entry.drops.values())


@each([entry for entry in ENTRIES if entry.callable], _id)
def test_conditions_of_differences_speak_of_parameters(entry: Entry) -> None:
    assert entry.arguments is not None
    allowed = {*_parameters(entry.arguments), "self", "ms", "isinstance", "Tensor", "Parameter", "int", "float", "bool", "str", "tuple", "list", "len"}
    allowed |= {"seen_axes", "seen_dtype", "on_tape"} | ({"inputs"} if entry.kind == "layer" else set())
    for difference in entry.differs:
        if difference.when is not None:
            assert _names([ast.parse(difference.when, mode="eval").body]) <= allowed, entry.place


@each(ENTRIES, _id)
def test_every_entry_says_what_it_is(entry: Entry) -> None:
    assert all(name.startswith(("torch.", "torchvision.", "einops.", "tensorboardX.", "timm.", "apex.", "torchsummary.", "torchinfo.", "thop.", "ptflops.", "fvcore.")) for name in entry.names)
    assert len(set(entry.names)) == len(entry.names)
    if entry.node is not None:
        assert ast.get_docstring(entry.node), entry.place
    if entry.kind == "absent":
        assert entry.why.strip(), entry.place
    for difference in entry.differs:
        assert difference.what.strip(), entry.place


def _shape(entry: Entry) -> str:
    if entry.arguments is None:
        return entry.kind
    arguments = entry.arguments
    return ast.dump(
        ast.arguments(arguments.posonlyargs, arguments.args, arguments.vararg, arguments.kwonlyargs, [], arguments.kwarg, [])
    )


def test_a_torch_name_is_declared_once_per_signature() -> None:
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in ENTRIES:
        for name in entry.names:
            places[name, _shape(entry)].append(entry.place)
    assert {name: found for (name, _), found in places.items() if len(found) > 1} == {}


def test_a_name_has_one_kind_of_entry() -> None:
    for name in CATALOG.names():
        # A type that is also called (torch.nn.Parameter) has an entry for either use.
        kinds = {entry.kind for entry in CATALOG.find(name)}
        assert len(kinds) == 1 or kinds == {"constant", "function"}, f"{name}: {kinds}"


def test_python_names_of_a_file_are_unique() -> None:
    for module in CATALOG.modules.values():
        seen: set[str] = set()
        for statement in ast.parse(module.text).body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                assert statement.name not in seen, f"{module.path.name}:{statement.lineno}: {statement.name} hides an earlier one"
                seen.add(statement.name)


def test_refusals_are_sentences() -> None:
    raised = ((entry, node) for entry in ENTRIES if entry.node is not None for node in ast.walk(entry.node) if isinstance(node, ast.Raise))
    texts = [
        refusal_text(entry.module, node.exc.args[0])
        for entry, node in raised
        if isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name) and node.exc.func.id == "Refused"
    ]
    assert texts
    assert not [text for text in texts if " " not in text]


@each(sorted(CATALOG.modules.values(), key=lambda m: m.name), lambda m: m.name)
def test_an_assignment_of_a_knowledge_file_binds_one_name(module: KnowledgeModule) -> None:
    """What ``A, B = …`` binds is no definition: a vendored module would lack it."""
    tree = ast.parse(module.text)
    several = [s.lineno for s in tree.body if isinstance(s, ast.Assign) and not all(isinstance(t, ast.Name) for t in s.targets)]
    assert not several or all(_used_at_import_alone(tree, line) for line in several)


def _used_at_import_alone(tree: ast.Module, line: int) -> bool:
    """Whether names that a statement binds are read outside of functions and classes only: in decorators and declarations."""
    statement = next(s for s in tree.body if s.lineno == line)
    bound = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inner = [node for s in tree.body if isinstance(s, (ast.FunctionDef, ast.ClassDef)) for part in s.body for node in ast.walk(part)]
    assigned = [node for s in tree.body if isinstance(s, (ast.Assign, ast.AnnAssign)) and s is not statement for node in ast.walk(s)]
    return not any(isinstance(node, ast.Name) and node.id in bound for node in [*inner, *assigned])
