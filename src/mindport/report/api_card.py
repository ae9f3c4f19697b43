"""Everything known about one PyTorch name, on one card: both signatures, the body, its evidence."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from mindport.analysis.lookup import mindspore_names
from mindport.catalog import Catalog, Entry
from mindport.convert.context import Shared
from mindport.convert.one_file import convert_file
from mindport.convert.vendor import MODULE, Vendored
from mindport.evidence.store import Evidence
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile
from mindport.targets import Target

#: Classes whose functions are called on an object, and how examples name the object.
METHOD_OWNERS = frozenset(("torch.Tensor", "torch.nn.Module"))
RECEIVER = "x"
#: The device that evidence is measured on; what is said of others rests on MindSpore's documentation.
MEASURED = "cpu"
PLATFORMS = {"cpu": "CPU", "gpu": "GPU", "ascend": "Ascend"}


class Counterpart(msgspec.Struct, frozen=True):
    """A MindSpore API that the equivalent is written in; `exists` in the version asked for."""

    name: str
    exists: bool
    signature: str | None
    platforms: list[str] | None
    deprecated: str | None


class DifferenceLine(msgspec.Struct, frozen=True):
    """A declared difference; `when` is its condition on the arguments, empty for every call."""

    what: str
    when: str
    risk: str


class EntryCard(msgspec.Struct, frozen=True):
    """One declaration: an overload, a layer, a constant, or a name that MindSpore has nothing for.

    `call` is the plainest call of it and `becomes` what conversion writes for that; `mode` says
    whether that is inlined, vendored, a constant, or absent, and `why` it is not inlined.
    """

    place: str
    kind: str
    signature: str
    summary: str
    call: str
    becomes: str
    mode: str
    why: str
    rung: str
    source: str
    mindspore: list[Counterpart]
    differs: list[DifferenceLine]
    drops: dict[str, str]
    state: dict[str, str]
    view: bool
    random: bool
    evidence: str
    outcome: dict[str, Any] | None


class ApiCard(msgspec.Struct, frozen=True):
    """All entries of one name."""

    name: str
    mindspore: str
    device: str
    entries: list[EntryCard]


def card(name: str, catalog: Catalog, target: Target, evidence: Evidence, device: str = "cpu") -> ApiCard:
    """The card of a torch name that the catalog knows."""
    return ApiCard(name, target.version, device, [_entry(name, e, catalog, target, evidence, device) for e in catalog.find(name)])


def _entry(name: str, entry: Entry, catalog: Catalog, target: Target, evidence: Evidence, device: str) -> EntryCard:
    call, becomes, mode, why = _converted(name, entry, catalog, target)
    rung = entry.rung or "community" if entry.kind == "absent" else "packaged" if mode == "vendored" else "equivalent"
    outcome = evidence.outcome(entry) if entry.node is not None else None
    counterparts = [_counterpart(each, target) for each in mindspore_names(entry)]
    status = evidence.status(entry) if entry.node is not None else ""
    if outcome is None and device != MEASURED and counterparts and all(documented(each, device) for each in counterparts):
        status = "documented"
    return EntryCard(
        entry.place, entry.kind, _signature(name, entry), _summary(entry), call, becomes, mode, why or entry.why, rung,
        entry.module.segment(entry.node) if entry.node is not None else becomes,
        counterparts,
        [DifferenceLine(d.what, d.when or "", d.risk) for d in entry.differs], dict(entry.drops),
        {key: "left out" if value is None else getattr(value, "name", str(value)) for key, value in entry.state.items()},
        entry.view, entry.random, status,
        msgspec.to_builtins(outcome) if outcome is not None else None,
    )  # fmt: skip


def documented(counterpart: Counterpart, device: str) -> bool:
    """Whether nothing speaks against the API on the device: its page names it, or names no platform at all."""
    return counterpart.exists and (not counterpart.platforms or PLATFORMS[device] in counterpart.platforms)


def _summary(entry: Entry) -> str:
    text = (ast.get_docstring(entry.node) or "") if entry.node is not None else ""
    return text.partition("\n\n")[0].replace("\n", " ")


def _signature(name: str, entry: Entry) -> str:
    if entry.arguments is None or entry.kind == "attribute":
        return name
    return f"{name}({ast.unparse(entry.arguments)})"


def _counterpart(name: str, target: Target) -> Counterpart:
    api = target.get(name)
    if api is None:
        return Counterpart(name, False, None, None, None)
    platforms = list(api.platforms) if api.platforms is not None else None
    return Counterpart(name, True, signature(name, api.parameters), platforms, api.deprecated)


def signature(name: str, parameters: Any) -> str | None:
    """A target's signature as Python writes it; None where it is not known."""
    if parameters is None:
        return None
    parts: list[str] = []
    starred = False
    for number, parameter in enumerate(parameters):
        if parameter.kind == "KEYWORD_ONLY" and not starred:
            parts.append("*")
            starred = True
        starred = starred or parameter.kind == "VAR_POSITIONAL"
        stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind, "")
        default = f"={parameter.default_text}" if parameter.default_text is not None else ""
        parts.append(f"{stars}{parameter.name}{default}")
        following = parameters[number + 1].kind if number + 1 < len(parameters) else ""
        if parameter.kind == "POSITIONAL_ONLY" and following != "POSITIONAL_ONLY":
            parts.append("/")
    return f"{name}({', '.join(parts)})"


def _converted(name: str, entry: Entry, catalog: Catalog, target: Target) -> tuple[str, str, str, str]:
    """(plainest call, what conversion writes for it, how, why it is not written in place)."""
    if entry.kind == "absent":
        return name, "", "absent", entry.why
    if entry.expression is not None:
        return name, ast.unparse(entry.expression), "constant", ""
    call = _plainest(name, entry)
    # Assigned, because a call that leaves nothing to do is removed where it is a statement of its own.
    file = SourceFile.of(f"import torch\nresult = {call}\n")
    statement = file.tree.body[-1]
    assert isinstance(statement, ast.Assign)
    node, kind = statement.value, "call"
    values: dict[int, v.Value] = {}
    if call.startswith(f"{RECEIVER}."):
        kind = "attribute" if isinstance(node, ast.Attribute) else "method"
        receiver = node.value if isinstance(node, ast.Attribute) else node.func.value  # type: ignore[attr-defined]
        values[id(receiver)] = v.TensorValue()
    facts = Facts(values, [Use(node, name, kind)])  # type: ignore[arg-type]
    shared = Shared(catalog.showing(name, entry), target, Vendored(catalog), lambda entry: "")
    text, context = convert_file(file, facts, shared, MODULE, frozenset())
    record = context.log[-1]
    converted = SourceFile.of(text)
    written = converted.tree.body[-1]
    assert isinstance(written, ast.Assign)
    return call, converted.segment(written.value), record.strategy, record.why


def _plainest(name: str, entry: Entry) -> str:
    """The call that gives what has no default and nothing else."""
    arguments = entry.arguments
    if arguments is None:
        return f"{name}()"
    required = [*arguments.posonlyargs, *arguments.args]
    required = required[: len(required) - len(arguments.defaults)]
    given = [a.arg for a in required]
    given += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    given += [f"{a.arg}={a.arg}" for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is None]
    last = name.rpartition(".")[2]
    if entry.kind == "attribute":
        return f"{RECEIVER}.{last}"
    if name.rpartition(".")[0] in METHOD_OWNERS and given:
        return f"{RECEIVER}.{last}({', '.join(given[1:])})"
    return f"{name}({', '.join(given)})"


def render_json(cards: list[ApiCard]) -> str:
    """The cards as JSON text."""
    return msgspec.json.format(msgspec.json.encode(cards), indent=1).decode() + "\n"
