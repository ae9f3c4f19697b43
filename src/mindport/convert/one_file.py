"""Converts one file: uses and rewrites plan edits, then imports follow from what the edits asked for."""

from __future__ import annotations

import ast

from mindport.convert import imports as file_imports
from mindport.convert.context import Context, Shared, parents_of
from mindport.convert.editing import Editing
from mindport.convert.effects import harmless
from mindport.convert.imports import Imports, TorchImport, bound_names, local_name, statements
from mindport.convert.other_libraries import convert_other, going_imports
from mindport.convert.read_attributes import needs_vendored
from mindport.convert.replaced_names import replaced
from mindport.convert.rewrites import REWRITES
from mindport.convert.same_branches import without_same_branches
from mindport.convert.staying_imports import staying, with_staying
from mindport.convert.tidy import without_self_assignments
from mindport.convert.uses import convert_use, reroot
from mindport.convert.vendor import LEFTOVER, MODULE
from mindport.convert.vendored_layers import methods
from mindport.evidence import layer_attributes
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source.edits import apply
from mindport.source.file import SourceFile

#: The library whose names are converted.
ROOT = "torch"
#: The library that converted files import.
TARGET = "mindspore"
#: What makes an iterator of a module: that the first of a new one is taken leaves nothing (``x.to(next(net.parameters()).device)``).
ITERATORS = frozenset(("torch.nn.Module.buffers", "torch.nn.Module.parameters"))
#: What most layers of both frameworks call their parameters.
PARAMETERS = ("weight", "bias")


def convert_file(
    file: SourceFile, facts: Facts, shared: Shared, vendored_module: str, reexported: frozenset[tuple[int, str]],
    handed_over: frozenset[str] = frozenset(),
) -> tuple[str, Context]:
    """The converted text and the context that holds log and findings.

    `reexported`: (line, local name) of imports from project files that only pass a torch name on; `handed_over`:
    names that a star import of this file would replace elsewhere.
    """
    torch_imports, origins = _torch_imports(file, reexported, going_imports(file, facts, shared, ROOT))
    going = {id(alias) for item in torch_imports for alias in item.aliases}
    editing = Editing(file)
    context = Context(
        file, facts, shared, parents_of(file.tree), editing, Imports(bound_names(file.tree, going) | _by_star(file, facts, going) | handed_over), vendored_module
    )
    if not torch_imports and _is_mindspore(file.tree):
        context.findings.extend(facts.findings)
        return file.text, context
    _mark_harmless(context)
    context.replaced = _replaced(context, torch_imports)
    uses = _placed(context, facts.uses, _left_over_before(file.tree))
    for rewrite in REWRITES:
        rewrite(context, uses)
    roots: set[int] = set()
    for same_place in uses.values():
        use = same_place[0]
        roots.add(id(_root(use.node)))
        if id(use.node) in context.claimed:
            continue
        if len({u.name for u in same_place}) > 1:
            context.plan(use.node, lambda us=same_place: _several(context, us))  # type: ignore[misc]
        elif use.name.split(".")[0] == ROOT:
            context.plan(use.node, lambda u=use: convert_use(context, u))  # type: ignore[misc]
        else:
            context.plan(use.node, lambda u=use: convert_other(context, u))  # type: ignore[misc]
    _plan_stray_names(context, origins, roots)
    context.run()
    _write_marks(context)
    if not any(module == vendored_module for module, _ in context.imports.wanted):
        for name in sorted(context.run_names):
            context.imports.local(vendored_module, name, name)
    torch_imports = file_imports.without(torch_imports, context.left_names - set(origins))
    kept = staying(file, {id(alias) for item in torch_imports for alias in item.aliases}, shared.own_packages | {ROOT})
    stand_in = ""
    if context.leftover_name or kept:
        stand_in = context.imports.local(vendored_module, shared.vendored.leftover(), LEFTOVER)
    context.imports.forget(vendored_module, "\n".join((apply(file.text, editing.edits()), stand_in, *context.namespaces.values())))
    last = context.imports.lines(vendored_module, True)
    if context.leftover_name:
        last.append(f'\n{context.leftover_name} = {stand_in}("{ROOT}")')
    last += [f"from {vendored_module} import {name} as {local}" for local, name in sorted(context.kept_names.items())]
    last += [item.guarded(stand_in) for item in kept]
    last += [f"\n{text}" for text in context.namespaces.values()]
    torch_imports = with_staying(torch_imports, kept)
    file_imports.rewrite(editing, torch_imports, context.imports.lines(vendored_module, False), last)
    text = without_same_branches(without_self_assignments(apply(file.text, editing.edits()), file.tree), file.tree)
    context.findings.extend(facts.findings)
    return text, context


def _mark_harmless(context: Context) -> None:
    for use in context.facts.uses:
        if isinstance(use.node, ast.Call) and (entries := context.shared.catalog.find(use.name)) and all(entry.does_nothing for entry in entries):
            harmless(use.node)
        if use.name in ITERATORS and isinstance(use.node, ast.Call):
            around = context.parents.get(id(use.node))
            if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "next" and around.args == [use.node]:
                harmless(use.node)
                harmless(around)


def _torch_imports(
    file: SourceFile, reexported: frozenset[tuple[int, str]], needless: frozenset[int]
) -> tuple[list[TorchImport], dict[str, str]]:
    """The imports that bind torch names (and the aliases that are `needless`), and what each torch name stands for."""
    found: list[TorchImport] = []
    origins: dict[str, str] = {}
    for statement, block in statements(file.tree):
        aliases = []
        for alias in statement.names:
            local = local_name(statement, alias)
            if isinstance(statement, ast.Import):
                full = alias.name if alias.asname else alias.name.split(".")[0]
                mine = alias.name.split(".")[0] == ROOT
            else:
                full = f"{statement.module}.{alias.name}"
                mine = not statement.level and (statement.module or "").split(".")[0] == ROOT
            if mine or (statement.lineno, local) in reexported or id(alias) in needless:
                aliases.append(alias)
                if mine and alias.name != "*":
                    origins[local] = full
        if aliases:
            found.append(TorchImport(statement, tuple(aliases), block))
    return found, origins


def _replaced(context: Context, going: list[TorchImport]) -> frozenset[str]:
    """The names of PyTorch's that the file imports at its top and other files replace."""
    stored = context.once(replaced)
    names = stored.get(context.file.relative, frozenset()) | stored.get(None, frozenset())
    top = [item for item in going if item.statement in context.file.tree.body and isinstance(item.statement, ast.ImportFrom)]
    return names.intersection(local_name(item.statement, alias) for item in top for alias in item.aliases)


def _by_star(file: SourceFile, facts: Facts, going: set[int]) -> set[str]:
    """Names that ``from … import *`` brings from files of the project: they are read, and nothing of torch's."""
    if not any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and id(node.names[0]) not in going for node in file.nodes):
        return set()
    return {node.id for node in file.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not isinstance(facts.value(node), v.Api)}


def _is_mindspore(tree: ast.Module) -> bool:
    """Whether a file is written for MindSpore already: it imports it, or what an earlier conversion vendored."""
    for statement, _ in statements(tree):
        names = [a.name for a in statement.names] if isinstance(statement, ast.Import) else [statement.module or ""]
        if any(name.split(".")[0] == TARGET or name.split(".")[-1] == MODULE for name in names):
            return True
    return False


def _left_over_before(tree: ast.Module) -> set[str]:
    """Names that an earlier conversion bound to what it could not convert: what stands on them stays."""
    return {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name) and statement.value.func.id == LEFTOVER
        for target in statement.targets
        if isinstance(target, ast.Name)
    }  # fmt: skip


def _placed(context: Context, uses: list[Use], left_over: set[str]) -> dict[tuple[int, bool], list[Use]]:
    """Uses by place; those without a place in the file (string annotations) are left out."""
    places: dict[tuple[int, bool], list[Use]] = {}
    for use in uses:
        root = _root(use.node)
        if id(use.node) in context.parents and not (isinstance(root, ast.Name) and root.id in left_over):
            places.setdefault((id(use.node), use.kind == "decorator"), []).append(use)
    return places


def _root(node: ast.AST) -> ast.AST:
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node


def _several(context: Context, uses: list[Use]) -> None:
    """A place that may mean several APIs: converted only where all become the same text."""
    if all(_answers(context, use) for use in uses):
        text = context.file.segment(uses[0].node)
        context.record(uses[0], "same", text, text, context.shared.catalog.layer_attribute(uses[0].name)[0])  # type: ignore[index]
        return
    trial: set[str] = set()
    start, end = context.editing.span(uses[0].node)
    within = context.editing.current(start, end)  # what is inside was converted, and its torch names are gone
    for use in uses:
        before = len(context.log)
        convert_use(context, use)
        trial.add(context.log[-1].new if len(context.log) > before else "")
        if len(trial) > 1:
            break
    if len(trial) > 1:
        context.editing.replace(start, end, context.file.text[start:end])
        context.editing.forget(start, end)
        context.editing.replace(start, end, within)
        names = " or ".join(sorted({u.name for u in uses}))
        context.report("MP106", f"this may be {names}, which become different things", uses[0].node, mark=True)


def _answers(context: Context, use: Use) -> bool:
    """Whether the layer, as it stands in the converted project, answers to torch's name of the attribute."""
    found = context.shared.catalog.layer_attribute(use.name) if use.kind in ("attribute", "store") else None
    if found is None:
        return False
    entry, attribute = found
    if use.kind == "attribute" and needs_vendored(layer_attributes.outcome(use.name)):
        return bool(context.shared.forced.intersection(entry.names))
    if entry.state.get(attribute, attribute) == attribute and attribute not in entry.attributes:
        return attribute in entry.state or attribute in PARAMETERS
    return bool(context.shared.forced.intersection(entry.names)) and any(method.name == attribute for method in methods(context.shared.catalog, entry))


def _plan_stray_names(context: Context, origins: dict[str, str], roots: set[int]) -> None:
    """Names bound by torch imports that no use covers: re-rooted, so that no name is left undefined."""
    for node in context.file.nodes:
        if isinstance(node, ast.Name) and node.id in origins and id(node) not in roots and isinstance(node.ctx, ast.Load):
            full = origins[node.id]
            if node.id in context.imports.bound and not isinstance(context.facts.value(node), v.Api):
                continue  # another binding of the name, a parameter for one
            context.plan(node, lambda n=node, f=full: reroot(context, n, f))  # type: ignore[misc]


def _write_marks(context: Context) -> None:
    for place, comments in context.marks.items():
        indent = context.editing.indent(place)
        above = context.file.text[:place].rstrip("\n").rsplit("\n", 1)[-1].strip()
        new = [c for c in comments if c != above]
        if new:
            context.editing.insert(place, "".join(f"{indent}{c}\n" for c in new))
