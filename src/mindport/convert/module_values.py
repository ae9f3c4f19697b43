"""``getattr(torch.optim, config["type"])``: a module handed on as a value, whose members are chosen by a text.

It becomes a namespace of the members whose names the project's texts hold: constants in its code, words in its
configuration files. Another name fails when it is asked for. Of another library (``models.__dict__[arch]``) it holds their
families, too: what stands in one file of knowledge with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from mindport.catalog import Catalog, Entry
from mindport.convert.context import Context
from mindport.convert.dtypes import DTYPES, TRUTH, plain
from mindport.declare import Difference
from mindport.inference.facts import Use
from mindport.source.file import SourceFile

#: The library whose names are converted; the end of a name that means what a module holds.
ROOT = "torch"
CONTENTS = ".__dict__"
#: So many members stand where the module stood; more of them get a name.
IN_PLACE = 3
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: ``"torch.tanh"``, ``"nn.Upsample"``: a path whose members a program takes one after the other, or whose beginning it cuts off.
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
#: Methods of a text that give the name of a class or function (``getattr(nn, kind.upper())``).
_CASES = frozenset(("upper", "lower", "capitalize", "title"))
#: Files that hold settings, and how large one may be.
_SETTINGS = frozenset((".json", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".conf", ".sh"))
LARGEST = 200_000
#: What takes settings out of a text: methods of the text, and the ends of functions' names (``json.loads``, ``yaml.safe_load``, ``OmegaConf.create``).
_TAKEN_APART = frozenset(("split", "splitlines", "partition", "rpartition"))
_READERS = ("load", "loads", "full_load", "safe_load", "literal_eval", "create")


def words(files: Iterable[SourceFile], others: Iterable[Path]) -> frozenset[str]:
    """Names that the project holds as texts, and what ``name.upper()`` makes of them where it asks for that."""
    found: set[str] = set()
    cases: set[str] = set()
    paths: set[str] = set()
    modules = {ROOT}
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _WORD.fullmatch(node.value):
                found.add(node.value)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _PATH.fullmatch(node.value):
                paths.add(node.value)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                modules |= _modules_of_torch(node)
            elif _is_text_of_dtype(node):
                found.update(str(plain(name)).rpartition(".")[2] for name in DTYPES - {TRUTH})  # `bool` is a method of tensors, too
            elif isinstance(node, ast.Call) and (text := _taken_apart(node)) is not None:
                found.update(_WORD.findall(text))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CASES and not node.args:
                cases.add(node.func.attr)
    found.update(part for path in paths if path.partition(".")[0] in modules for part in path.split("."))
    for path in others:
        if path.suffix in _SETTINGS and path.is_file() and path.stat().st_size <= LARGEST:
            found.update(_WORD.findall(path.read_text(encoding="utf-8", errors="replace")))
    return frozenset(found | {getattr(text, case)() for text in found for case in cases})


def _modules_of_torch(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The names that an import gives to something of torch's."""
    where = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return {alias.asname or alias.name for alias in node.names if f"{where}{alias.name}.".startswith(f"{ROOT}.")}


def _is_text_of_dtype(node: ast.AST) -> bool:
    """``str(x.dtype)``, ``f"{x.dtype}"``: what is written down is read again as the name of any dtype."""
    match node:
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[ast.Attribute(attr="dtype")]) | ast.FormattedValue(value=ast.Attribute(attr="dtype")):
            return True
    return False


def _taken_apart(node: ast.Call) -> str | None:
    """The text that a call takes apart: ``"Adam SGD".split()``, ``json.loads("…")``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr=name)) if name in _TAKEN_APART:
            return text
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if name in _READERS:
            return text
    return None


def members(catalog: Catalog, module: str, texts: frozenset[str]) -> dict[str, Entry]:
    """The module's classes, functions and dtypes that the texts name and that there is one equivalent of."""
    alone = {name: entries[0] for name, entries in catalog.within(module).items() if len(entries) == 1}
    found = {name: entry for name, entry in alone.items() if name in texts and (entry.kind in ("layer", "function") or isinstance(entry.expression, ast.Attribute))}
    if module.partition(".")[0] == ROOT:
        return found
    families = {entry.module.name for entry in found.values() if entry.kind == "function"}
    return found | {name: entry for name, entry in alone.items() if entry.kind == "function" and entry.module.name in families}


def offered(catalog: Catalog, use: Use, texts: frozenset[str]) -> dict[str, Entry]:
    """What the namespace in place of a module holds; nothing where the use is no module handed on, or the texts name none of its members."""
    return members(catalog, use.name.removesuffix(CONTENTS), texts) if use.kind == "value" else {}


def of_offered(module: str, found: Iterable[str]) -> Difference:
    """What a namespace in the place of a module leaves out."""
    named = "which the project's texts name" if module.partition(".")[0] == ROOT else "the families of those which the project's texts name"
    return Difference(f"{module} as a value offers {', '.join(found)}, {named}, and nothing else", risk="loud")


def namespace(context: Context, use: Use, written: Callable[[Context, Entry, ast.expr], str]) -> str | None:
    """The text of a namespace in place of a module; None where the project's texts name none of its members.

    `written`: gives a constant's text (``ms.float32``).
    """
    found = offered(context.shared.catalog, use, context.shared.words)
    if not found:
        return None
    texts = {name: written(context, entry, entry.expression) if entry.expression is not None else context.vendored_name(entry) for name, entry in found.items()}
    left_out = of_offered(use.name, found)
    context.report("MP103", left_out.what, use.node, api=use.name, risk=left_out.risk)
    kind = context.imports.local("types", "SimpleNamespace", "SimpleNamespace")
    module = use.name.removesuffix(CONTENTS)
    if module == use.name and len(texts) <= IN_PLACE:
        return f"{kind}({', '.join(f'{name}={text}' for name, text in texts.items())})"
    name = module.rpartition(".")[2]
    while name in context.imports.bound - set(context.namespaces):
        name += "_"
    context.imports.bound.add(name)
    context.namespaces[name] = f"{name} = {kind}(\n{''.join(f'    {member}={text},{chr(10)}' for member, text in texts.items())})"
    return name if module == use.name else f"{name}{CONTENTS}"
