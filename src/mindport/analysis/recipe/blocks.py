"""Blocks of a configuration: a name with its entries, as YAML, JSON, dictionaries and calls like ``dict(type="SGD", lr=0.02)`` write them.

A setting alone says ``lr: 0.02``; a block says what it is the rate of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import MOST_QUOTED, Subject
from mindport.source.file import SourceFile

#: ``key: value``, ``"key": value,`` and ``- key: value``, with or without a value.
_ENTRY = re.compile(r"""^(?P<indent>\s*)(?P<dash>-\s+)?["']?(?P<key>[A-Za-z_][\w.\-]*)["']?\s*:(?:\s+(?P<rest>.*?)|\s*)\s*$""")
#: ``"type":"StepLR"``, which only JSON may write without a blank.
_TIGHT = re.compile(r"""^(\s*"[\w.\-]+")\s*:(?=\S)""", re.MULTILINE)
_FLOW = re.compile(r"^\{(?P<inner>.*)\}$")
_OPENS = ("", "{", "[", "[{", "|", ">", "~")
#: Entries that hold the arguments of what their block names: Lightning's ``init_args``, and its kin.
_ARGUMENTS = re.compile(r"(init_?)?(args|params|kwargs|arguments|parameters|opts|options)|optimi[sz]er_(args|params|kwargs)")
#: Entries that say what a block is.
NAMING = ("_target_", "class_path", "class_name", "type", "name")
_CLASS = re.compile(r"[A-Z]\w*[a-z]\w*[A-Z]\w*")
_MAKERS = re.compile(r"(.*_)?(dict|edict|cn|cfg_node|config_dict|namespace|bunch|munch|config)")


@dataclass
class Block:
    """`name`: what holds the block (a key, a variable, a keyword); `entries`: its constants as text, with their places."""

    name: str
    quote: Quote
    entries: dict[str, tuple[str, Quote]] = field(default_factory=dict)
    #: The names above it: ``val_pipeline``, ``model trainer``.
    under: str = ""
    #: The entries' expressions, where Python wrote them.
    written: dict[str, tuple[SourceFile, ast.expr]] = field(default_factory=dict)


def blocks(subject: Subject) -> Iterator[Block]:
    """Every block of the project's configuration files and Python files, those of tests aside."""
    for path, text in subject.texts(".yaml", ".yml", ".json"):
        text = _TIGHT.sub(r"\1: ", text) if path.endswith(".json") else text
        if not subject.aside(path):
            yield from _of_text(path, text)
    for file in subject.files:
        if not subject.aside(file.relative):
            yield from _of_python(subject, file)


def _of_text(path: str, text: str) -> Iterator[Block]:
    """Blocks by indentation: that of YAML, and of JSON as programs write it."""
    open_blocks: list[tuple[float, Block]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _ENTRY.match(line) if len(line) < 400 else None
        if found is None:
            continue
        indent = len(found["indent"]) + len(found["dash"] or "")
        while open_blocks and open_blocks[-1][0] >= (indent - 0.5 if found["dash"] else indent):
            yield open_blocks.pop()[1]
        quote = Quote(path, number, line.strip()[:MOST_QUOTED])
        rest = re.sub(r"\s+#.*$", "", found["rest"] or "").rstrip(",").strip()
        names = " ".join(block.name for _, block in open_blocks)
        if found["dash"] and open_blocks:
            open_blocks.append((indent - 0.5, Block(open_blocks[-1][1].name, quote, under=names)))  # each item of a list is a block of its own
        above = open_blocks[-1][1] if open_blocks else None
        flow = _FLOW.match(rest)
        if rest in _OPENS or rest.startswith("#") or flow is not None:
            made = above if above is not None and _ARGUMENTS.fullmatch(found["key"]) else Block(found["key"], quote, under=names)
            for key, value in flow_entries(flow["inner"]) if flow is not None else ():
                made.entries[key] = (value, quote)
            if flow is None:
                open_blocks.append((indent, made))
            elif made is not above:
                yield made
        elif above is not None:
            above.entries.setdefault(found["key"], (rest, quote))
    yield from (block for _, block in reversed(open_blocks))


def flow_entries(inner: str) -> Iterator[tuple[str, str]]:
    """(key, value) of what stands between the braces of ``{lr: 1e-4, betas: [0.9, 0.98]}``."""
    for part in re.split(r",\s*(?![^\[(]*[\])])", inner):
        key, colon, value = part.partition(":")
        if colon:
            yield key.strip().strip("\"'"), value.strip()


def _of_python(subject: Subject, file: SourceFile) -> Iterator[Block]:
    stored = _stored_later(file)
    for statement in file.tree.body:
        under = _name(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
        for node in ast.walk(statement):
            later = stored.get(ast.unparse(node.targets[0]), []) if isinstance(node, ast.Assign) else []
            for name, value in _holders(node):
                for each in value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]:
                    for block in _written(subject, file, name, each):
                        block.under = under
                        for key, given in later:
                            block.entries.setdefault(key, (ast.unparse(given), subject.quote(file, given)))
                            block.written.setdefault(key, (file, given))
                        yield block


def _holders(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, value) of what an assignment, a dictionary's entry or a keyword names."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        yield _name(node.targets[0] if isinstance(node, ast.Assign) else node.target), node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value


def _stored_later(file: SourceFile) -> dict[str, list[tuple[str, ast.expr]]]:
    """Holder → entries that are stored into it as attributes: ``c.G_opt_kwargs.lr = opts.glr``."""
    found: dict[str, list[tuple[str, ast.expr]]] = {}
    for node in file.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, (ast.Attribute, ast.Subscript)) and _name(target):
                    found.setdefault(ast.unparse(target.value), []).append((_name(target), node.value))
    return found


def _name(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""


def _written(subject: Subject, file: SourceFile, name: str, value: ast.expr) -> Iterator[Block]:
    """The block that a dictionary, or a call that makes one of its keywords, is under this name."""
    pairs: list[tuple[str, ast.expr]] = []
    if isinstance(value, ast.Dict):
        pairs = [(k.value, v) for k, v in zip(value.keys, value.values, strict=True) if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    elif isinstance(value, ast.Call) and _MAKERS.fullmatch(normal(_name(value.func))):
        pairs = [(k.arg, k.value) for k in value.keywords if k.arg]
    if not name or not pairs:
        return
    block = Block(name, subject.quote(file, value))
    for key, inner in pairs:
        block.entries[key] = (inner.value if isinstance(inner, ast.Constant) and isinstance(inner.value, str) else ast.unparse(inner), subject.quote(file, inner))
        block.written[key] = file, inner
        if _ARGUMENTS.fullmatch(key):
            for nested in _written(subject, file, key, inner):
                block.entries |= nested.entries
                block.written |= nested.written
    yield block


def belongs_to(written: Sequence[Block], path: str, line: int, name: str) -> str:
    """What the block that holds an entry says it is, in its last word: ``EarlyStopping`` of ``patience: 10``; nothing where no block says so."""
    for block in written:
        held = block.entries.get(name)
        if held is not None and (held[1].path, held[1].line) == (path, line):
            named = [key for key in NAMING if key in block.entries and key != name and (key != NAMING[-1] or _CLASS.fullmatch(block.entries[key][0].strip().strip("\"'")))]
            said = block.entries[named[0]][0] if named else ""  # a name may be a run's, and one that is written as a class is one
            return said.strip().strip("\"'").rpartition(".")[2]
    return ""
