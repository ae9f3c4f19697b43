"""Asks the conversion what each use would become, without writing anything.

The same binding, specialisation and evaluation of declared differences that `convert` runs,
so a scan says what a conversion will do. Whether an expression can stand at its place tidily
(argument effects, names that are taken) is decided while text is written: a use that a scan calls
``inlined`` may still be vendored there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mindport.analysis.judgement import Judge, Judgement, JudgeUnknown
from mindport.catalog import Catalog, Entry
from mindport.convert.bind import Binding, bind
from mindport.convert.bound_methods import bound_method
from mindport.convert.carried import shown
from mindport.convert.checks import beside_plain
from mindport.convert.context import Context, Shared, parents_of
from mindport.convert.decide import (
    Inline,
    Leave,
    decide,
    depends_on_data,
    differences,
    is_plain,
    look_with,
    mindspore_base,
    underivable,
)
from mindport.convert.dropped_values import goes_nowhere
from mindport.convert.editing import Editing
from mindport.convert.imports import Imports
from mindport.convert.in_place import is_settled
from mindport.convert.members import Member, lacks, own_member
from mindport.convert.module_values import of_offered, offered
from mindport.convert.other_libraries import class_owner
from mindport.convert.overloads import is_chosen_later, is_spread
from mindport.convert.read_attributes import computes_itself, needs_vendored, unanswered
from mindport.convert.renaming import is_rename
from mindport.convert.rewrites import REWRITES
from mindport.convert.site import site
from mindport.convert.specialise import PREFIX, Expression, specialise
from mindport.convert.unknown_receiver import fate
from mindport.convert.vendor import MODULE, Vendored
from mindport.declare import Layout, difference
from mindport.evidence import layer_attributes
from mindport.findings import Finding
from mindport.inference.facts import Facts, Unresolved, Use
from mindport.source.file import SourceFile
from mindport.targets import Target

_STANDING_IN = ("check", "type")
_LATER = "its form is chosen when it is called"


@dataclass(frozen=True)
class Rewritten:
    """What the rewrites of constructs say about one file, or about all.

    `claimed`: the nodes, by id, that they deal with. `settled`: calls whose ``inplace=True`` the analysis of aliases has dealt with, types that
    are asked for beside the plain type, attributes whose value goes nowhere. `forms`: (node, API) → the form of the API that the place takes.
    `crowded`: lines of one file whose statements a conversion sets apart.
    """

    claimed: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()
    forms: Mapping[tuple[int, str], str] = field(default_factory=dict)
    crowded: frozenset[int] = frozenset()

    def of_original(self, file: SourceFile) -> Rewritten:
        """The same about the nodes of the file as the user wrote it."""
        def own(node: int) -> int:
            return id(file.twins.get(node))

        return Rewritten(frozenset(map(own, self.claimed)), frozenset(map(own, self.settled)), {(own(node), name): form for (node, name), form in self.forms.items()})

    @staticmethod
    def joined(found: Sequence[Rewritten]) -> Rewritten:
        """What several files say, in one."""
        forms = {place: form for one in found for place, form in one.forms.items()}
        return Rewritten(frozenset().union(*(one.claimed for one in found)), frozenset().union(*(one.settled for one in found)), forms)


def judge_with(
    catalog: Catalog, rewritten: Rewritten | None = None, forced: frozenset[str] = frozenset(), names: Callable[[str], frozenset[str]] = lambda _: frozenset(),
) -> Judge:  # fmt: skip
    """A judge for `catalog`; `forced` names layers that have to be vendored, `names` says by which names the project may ask a module that it hands on."""
    claimed, settled, forms = (rewritten.claimed, rewritten.settled, rewritten.forms) if rewritten is not None else (frozenset(), frozenset(), {})

    def judge(use: Use, facts: Facts) -> Judgement:
        if id(use.node) in claimed:
            return Judgement("rewritten")
        if form := forms.get((id(use.node), use.name)):
            judged = judge_one(replace(use, name=form), facts)
            return replace(judged, why=judged.why.replace(form, use.name))
        return judge_one(use, facts)

    def judge_one(use: Use, facts: Facts) -> Judgement:
        if member := own_member(catalog, use):
            return _member(catalog, use, facts, forced, member)
        if not catalog.find(use.name) and (owner := class_owner(catalog, use)):
            return Judgement("vendored", owner)
        match use.kind:
            case "type" | "check" | "value" | "base":
                judged = _module(catalog, use, names) or _name(catalog, use, facts)
                return replace(judged, differs=()) if id(use.node) in settled else judged
            case "attribute" | "store":
                judged = _attribute(catalog, use, facts, forced)
                return replace(judged, differs=(), unread=True) if id(use.node) in settled else judged
        if not isinstance(use.node, ast.Call):
            return _decorator(catalog, use, facts) if use.kind == "decorator" else _name(catalog, use, facts)
        judged = _call(catalog, use, facts, forced)
        if judged.differs and id(use.node) in settled:
            return replace(judged, differs=tuple(hit for hit in judged.differs if hit[0].when != "inplace"))
        return judged

    return judge


def judge_unknown_with(catalog: Catalog, target: Target, forced: frozenset[str] = frozenset()) -> JudgeUnknown:
    """A judge of places whose receiver's type is unknown."""

    def judge(place: Unresolved, facts: Facts) -> Judgement:
        found = fate(catalog, target, place, look_with(facts), forced)
        becomes = {"stays": "same", "chosen": "vendored", "left": "left"}[found.kind]
        return Judgement(becomes, found.entry, "" if found.kind == "stays" else "MP105", found.why, (), found.risk)  # type: ignore[arg-type]

    return judge


def constructs(file: SourceFile, facts: Facts, catalog: Catalog, target: Target) -> tuple[Rewritten, list[Finding]]:
    """What the rewrites of constructs say about a file, and their findings.

    They plan edits, too, which nobody carries out here.
    """
    shared = Shared(catalog, target, Vendored(catalog), lambda entry: "")
    context = Context(file, facts, shared, _Parents(file.tree), Editing(file), Imports(set()), MODULE)
    uses: dict[tuple[int, bool], list[Use]] = {}
    for use in facts.uses:
        uses.setdefault((id(use.node), use.kind == "decorator"), []).append(use)
    before = {key: list(same_place) for key, same_place in uses.items()}
    for rewrite in REWRITES:
        rewrite(context, uses)
    forms = {(id(use.node), use.name): now.name for key, same_place in before.items() for use, now in zip(same_place, uses[key], strict=False) if now.name != use.name}
    settled = {id(use.node) for use in facts.uses if isinstance(use.node, ast.Call) and _may_ask(catalog, use) and is_settled(context, use, None)}
    settled |= {id(use.node) for use in facts.uses if use.kind == "check" and any(beside_plain(context, use, entry) for entry in catalog.find(use.name))}
    settled |= {id(use.node) for use in facts.uses if use.kind == "attribute" and _differs(catalog, use) and goes_nowhere(context, use.node)}
    return Rewritten(frozenset(context.claimed), frozenset(settled), forms, frozenset(shared.crowded.get(file.relative, ()))), context.findings


def _differs(catalog: Catalog, use: Use) -> bool:
    return any(entry.differs for entry in catalog.find(use.name))


def _may_ask(catalog: Catalog, use: Use) -> bool:
    """Whether an API can be asked to compute in place, and the call gives it arguments."""
    assert isinstance(use.node, ast.Call)
    given = bool(use.node.args or use.node.keywords)
    return given and any(difference.when == "inplace" for entry in catalog.find(use.name) for difference in entry.differs)


class _Parents(dict[int, ast.AST]):
    """Parent by id(node), found out when somebody asks: most files have no construct that does."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__()
        self._tree: ast.Module | None = tree

    def get(self, key: int, default: Any = None) -> Any:
        self._fill()
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._fill()
        return super().__contains__(key)

    def __missing__(self, key: int) -> ast.AST:
        if key in self:
            return self[key]
        raise KeyError(key)

    def _fill(self) -> None:
        if self._tree is not None:
            tree, self._tree = self._tree, None
            self.update(parents_of(tree))


def _call(catalog: Catalog, use: Use, facts: Facts, forced: frozenset[str]) -> Judgement:
    look = look_with(facts)
    place = site(use)
    decision = decide(catalog, place, look, forced)
    if isinstance(decision, Leave) and decision.code == "MP106" and is_spread(use) and is_chosen_later(catalog, use, catalog.find(use.name)):
        return Judgement("vendored", catalog.find(use.name)[0], why=_LATER)
    if isinstance(decision, Leave):
        return Judgement("left", decision.entry, decision.code, decision.why)
    # What only a run's data decides says nothing about this call: `mindport api` lists it, a conversion reports it once.
    found = differences(decision.entry, decision.binding, look, not isinstance(decision, Inline))
    seen = shown(place, decision.entry, look, facts.value)
    hits = tuple(hit for hit in found if hit[1] or hit[0] in seen or not depends_on_data(hit[0]))
    hits += tuple((difference, False) for difference in seen if difference not in [hit[0] for hit in hits])
    if not isinstance(decision, Inline):
        return Judgement("vendored", decision.entry, why=decision.why, differs=hits)
    if other := _calls_knowledge(decision.entry, decision.result):
        return Judgement("vendored", decision.entry, why=f"the body uses {other}", differs=hits)
    becomes = "same" if is_rename(place, decision) else "inlined"
    return Judgement(becomes, decision.entry, differs=hits)  # type: ignore[arg-type]


def _member(catalog: Catalog, use: Use, facts: Facts, forced: frozenset[str], member: Member) -> Judgement:
    """What a vendored class has itself keeps its text."""
    if member.misfit:
        return Judgement("left", member.entry, "MP106", member.misfit)
    if any(entry.kind in ("function", "attribute") for entry in catalog.find(use.name)):
        judged = _call(catalog, use, facts, forced)
        return judged if judged.code == "MP102" else Judgement("same", member.entry, differs=judged.differs)
    return Judgement("same", member.entry)


def _calls_knowledge(entry: Entry, result: ast.expr) -> str | None:
    """A name of our own that the expression needs: it has to be vendored along."""
    for node in ast.walk(result):
        if isinstance(node, ast.Name) and not node.id.startswith(PREFIX):
            module, _ = entry.module.imports.get(node.id, ("", None))
            if module.startswith("mindport.") or node.id in entry.module.definitions:
                return node.id
    return None


def _module(catalog: Catalog, use: Use, names: Callable[[str], frozenset[str]]) -> Judgement | None:
    """A module handed on as a value, ``getattr(nn, name)``: a namespace of the members that the project names, where it names any."""
    if use.kind != "value" or any(entry.kind != "absent" for entry in catalog.find(use.name)) or not (found := offered(catalog, use, names)):
        return None
    return Judgement("vendored", next(iter(found.values())), differs=((of_offered(use.name, found), True),))


def _name(catalog: Catalog, use: Use, facts: Facts) -> Judgement:
    """A class or function that is named without being called."""
    entries = catalog.find(use.name)
    known = [entry for entry in entries if entry.kind != "absent"]
    if not known:
        why = entries[0].why if entries else f"no equivalent of {use.name} is known"
        return Judgement("left", entries[0] if entries else None, "MP101", why)
    constant = next((entry for entry in known if entry.kind == "constant"), None)
    entry = constant or known[0]
    if constant is None and entry.kind != "layer" and len(known) > 1 and is_chosen_later(catalog, use, known) and use.kind != "base":
        return Judgement("vendored", entry, why=_LATER)
    if constant is None and entry.kind != "layer" and len(known) > 1:
        return Judgement("left", entry, "MP106", f"which overload of {use.name} is meant shows only where it is called")
    if use.kind == "base" and entry.kind == "function":
        return Judgement("left", entry, "MP102", underivable(use.name))
    told = use.kind == "base" or (use.kind == "check" and constant is not None)
    hits = tuple(differences(entry, None, look_with(facts))) if told else ()
    if constant is not None:
        return Judgement("same", entry, differs=hits)
    stands_in = entry.kind == "layer" and (
        is_plain(entry) if use.kind == "base" else use.kind in _STANDING_IN and mindspore_base(entry) is not None
    )
    return Judgement("same" if stands_in else "vendored", entry, differs=hits)


def _decorator(catalog: Catalog, use: Use, facts: Facts) -> Judgement:
    """A decorator that is named, not called: it goes where its equivalent returns the function as it is."""
    for entry in catalog.find(use.name):
        arguments = entry.arguments
        if arguments is None or not (arguments.posonlyargs or arguments.args):
            continue
        binding = bind(arguments, [ast.Name("decorated", ast.Load())], [])
        outcome = specialise(entry, binding, lambda node: None) if isinstance(binding, Binding) else None
        if isinstance(outcome, Expression) and isinstance(outcome.node, ast.Name):
            return Judgement("rewritten", entry)
    return _name(catalog, use, facts)


def _attribute(catalog: Catalog, use: Use, facts: Facts, forced: frozenset[str]) -> Judgement:
    kinds = {entry.kind for entry in catalog.find(use.name)}
    if use.kind == "attribute" and "function" in kinds:
        entry = bound_method(catalog, use)
        if entry is not None:
            return Judgement("rewritten", entry)
        why = f"{use.name} is read without being called; write a lambda that calls it"
        return Judgement("left", catalog.find(use.name)[0], "MP107", why)
    if use.kind == "attribute" and kinds & {"attribute", "absent"}:
        return _call(catalog, use, facts, forced)
    found = catalog.layer_attribute(use.name)
    if found is None:
        if use.kind == "store":
            return Judgement("same")  # a plain assignment to an attribute: Python's own
        return Judgement("left", None, "MP101", f"no equivalent of {use.name} is known")
    entry, attribute = found
    outcome = layer_attributes.outcome(use.name, set_later=use.kind == "store")
    if layer_attributes.is_lost(outcome) and not computes_itself(facts, use) or lacks(catalog, entry, use):
        return Judgement("left", entry, "MP101", unanswered(entry.name, attribute, use.kind))
    if needs_vendored(outcome):
        return Judgement("same", entry)
    if attribute in entry.state and entry.state[attribute] is None and outcome != "plain":
        return Judgement("left", entry, "MP101", f"MindSpore keeps no {attribute} for {entry.name}")
    if isinstance(entry.state.get(attribute), Layout):
        what = f"{use.name} has an axis of length 1 more in MindSpore"
        return Judgement("same", entry, differs=((difference(what), True),))
    return Judgement("same", entry)
