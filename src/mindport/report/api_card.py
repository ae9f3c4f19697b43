"""Everything known about one PyTorch name, on one card: both signatures, the body, its evidence."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from mindport.analysis.lookup import mindspore_names
from mindport.catalog import Catalog, Entry
from mindport.convert.bind import Unbound, bind
from mindport.convert.specialise import PREFIX, Expression, Refusal, specialise
from mindport.evidence.store import Evidence
from mindport.targets import Target


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
    return ApiCard(name, target.version, device, [_entry(name, e, target, evidence) for e in catalog.find(name)])


def _entry(name: str, entry: Entry, target: Target, evidence: Evidence) -> EntryCard:
    call, becomes, mode, why = _converted(name, entry)
    rung = entry.rung or "community" if entry.kind == "absent" else "packaged" if mode == "vendored" else "equivalent"
    outcome = evidence.outcome(entry) if entry.node is not None else None
    return EntryCard(
        entry.place, entry.kind, _signature(name, entry), _summary(entry), call, becomes, mode, why or entry.why, rung,
        entry.module.segment(entry.node) if entry.node is not None else becomes,
        [_counterpart(each, target) for each in mindspore_names(entry)],
        [DifferenceLine(d.what, d.when or "", d.risk) for d in entry.differs], dict(entry.drops),
        {key: "left out" if value is None else getattr(value, "name", str(value)) for key, value in entry.state.items()},
        entry.view, entry.random, evidence.status(entry) if entry.node is not None else "",
        msgspec.to_builtins(outcome) if outcome is not None else None,
    )  # fmt: skip


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


def _converted(name: str, entry: Entry) -> tuple[str, str, str, str]:
    """(plainest call, what it becomes, mode, why it is not inlined)."""
    short = name.rpartition(".")[2]
    if entry.kind == "absent":
        return name, "", "absent", entry.why
    if entry.expression is not None:
        return name, ast.unparse(entry.expression), "constant", ""
    arguments = entry.arguments
    if arguments is None:
        return name, short, "vendored", "the class has no constructor of its own"
    required = [*arguments.posonlyargs, *arguments.args]
    required = required[: len(required) - len(arguments.defaults)]
    given: list[ast.expr] = [ast.Name(a.arg, ast.Load()) for a in required]
    keywords = [
        ast.keyword(a.arg, ast.Name(a.arg, ast.Load()))
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
    ]  # fmt: skip
    call = _call_text(name, entry, given, keywords)
    binding = bind(arguments, given, keywords)
    if isinstance(binding, Unbound):
        return call, short, "vendored", binding.why
    outcome = specialise(entry, binding, lambda node: None)
    if isinstance(outcome, Expression):
        return call, ast.unparse(outcome.node).replace(PREFIX, ""), "inlined", ""
    if isinstance(outcome, Refusal):
        return call, "", "refused", outcome.sentence
    assert entry.node is not None
    return call, _call_text(entry.node.name, entry, given, keywords, as_function=True), "vendored", outcome.why


def _call_text(
    name: str, entry: Entry, given: list[ast.expr], keywords: list[ast.keyword], as_function: bool = False
) -> str:
    first = given[0] if given else None
    method = isinstance(first, ast.Name) and first.id == "self" and not as_function
    target = name.rpartition(".")[2]
    if entry.kind == "attribute":
        return f"{name}({ast.unparse(given[0])})" if as_function and given else f"self.{target}"
    func: ast.expr = ast.parse(f"self.{target}" if method else name, mode="eval").body
    return ast.unparse(ast.Call(func, given[1:] if method else given, keywords))


def render_json(cards: list[ApiCard]) -> str:
    """The cards as JSON text."""
    return msgspec.json.format(msgspec.json.encode(cards), indent=1).decode() + "\n"
