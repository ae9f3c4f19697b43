"""A community issue about one PyTorch name, drafted from what is known: the guide's fourth rung.

The draft states only what was read or measured: signatures and platforms from the tables, outcomes from the evidence,
places from the project. What it cannot know (the reporter's machine, what the model needs it for) it asks for.
"""

from __future__ import annotations

import platform

import msgspec

from mindport import __version__
from mindport.catalog import Catalog
from mindport.evidence.store import Evidence
from mindport.inference import torchfacts
from mindport.inference.project import Project
from mindport.report.api_card import ApiCard, Counterpart, EntryCard, card, signature
from mindport.report.sample_call import sample_call
from mindport.source.discover import Discovery
from mindport.targets import Target

#: The rungs of the guide's policy, first to last.
RUNGS = ("equivalent", "packaged", "custom operator", "community")
#: Where MindSpore keeps operators, layers and methods: a name is looked for in each.
SPACES = ("mindspore", "mindspore.ops", "mindspore.mint", "mindspore.mint.nn.functional", "mindspore.nn", "mindspore.mint.nn", "mindspore.Tensor", "mindspore.mint.linalg", "mindspore.mint.special", "mindspore.nn.probability.distribution", "mindspore.experimental.optim")
#: What a failed sample means, worst first.
WORDS = {
    "differs": "gives another result than PyTorch", "crash": "crashes", "raises": "raises an error where PyTorch does not",
    "timeout": "does not end", "not run here": "has no kernel for some arguments",
}  # fmt: skip
_MOST_FAILURES = 5


class PlaceOfUse(msgspec.Struct, frozen=True):
    """A line of the project that uses the name."""

    path: str
    line: int
    text: str


class IssueDraft(msgspec.Struct, frozen=True):
    """Everything the draft says. `wrong`: what the worst failed sample shows; `needed`: whether something is missing or wrong; a verified name needs no issue."""

    name: str
    title: str
    wrong: str
    needed: bool
    torch: str
    mindspore: str
    mindport: str
    python: str
    device: str
    rung: str
    why: str
    signature: str
    reproduction: str
    expected: str
    attempt: str
    observed: str
    evidence: str
    failures: list[str]
    differs: list[str]
    searched: list[Counterpart]
    uses: list[PlaceOfUse]


def draft(
    name: str, catalog: Catalog, target: Target, evidence: Evidence, device: str, discovery: Discovery | None = None
) -> IssueDraft:
    """The draft about a canonical torch name; the catalog need not know it."""
    shown = card(name, catalog, target, evidence, device)
    entries = catalog.find(name)
    outcomes = [found for entry in entries if entry.kind != "absent" and (found := evidence.outcome(entry)) is not None]
    entry = shown.entries[0] if shown.entries else None
    absent = entry is None or entry.kind == "absent"
    bad = sorted((f for o in outcomes for f in o.failures if f.verdict in WORDS), key=lambda f: list(WORDS).index(f.verdict))
    statuses = [each.evidence for each in shown.entries]
    needed = absent or any(f.verdict != "not run here" for f in bad) or any(each.differs for each in shown.entries) or "verified" not in statuses
    searched = _searched(name, target)
    example = bad[0].call if bad else ""
    title = f"{name}: no equivalent on {device.upper()}" if absent else f"{name}: {WORDS[bad[0].verdict] if bad else 'differs from PyTorch'}"
    return IssueDraft(
        name, title, WORDS[bad[0].verdict] if bad else "", needed, torchfacts.version(), target.version, __version__, platform.python_version(), device,
        _rung(entry), entry.why if entry else "no verdict has been written about this name", _torch_signature(name),
        _reproduction(name, example), _expected(name, example, bad[0].message if bad else ""), _attempt(name, entry, searched),
        _observed(shown, bad[0].message if bad else "", searched), ", ".join(dict.fromkeys(filter(None, statuses))) or "absent",
        [f"{f.check} {f.dtype} {f.verdict}: {' '.join(f.message.split())}\n    {f.call}" for f in bad[:_MOST_FAILURES]],
        [d.what + (f" (when {d.when})" if d.when else "") for each in shown.entries for d in each.differs],
        searched, _uses(name, discovery) if discovery is not None else [],
    )  # fmt: skip


def _rung(entry: EntryCard | None) -> str:
    return entry.rung if entry is not None else "community"


def _torch_signature(name: str) -> str:
    api = torchfacts.lookup(name)
    if api is None or not api.signatures:
        return name
    return "\n".join(f"{name}({', '.join(_parameter(p) for p in one.parameters)})" for one in api.signatures[:4])


def _parameter(parameter: torchfacts.TorchParameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind, "")
    default = f"={parameter.default}" if parameter.default is not None else ""
    return f"{stars}{parameter.name}{default}"


def _searched(name: str, target: Target) -> list[Counterpart]:
    """What MindSpore offers under the last part of the name, spelled alike or in another case."""
    last = name.rpartition(".")[2].lower()
    found = []
    for each in target.names():
        space, _, tail = each.rpartition(".")
        if tail.lower() == last and space in SPACES:
            api = target.get(each)
            assert api is not None
            platforms = list(api.platforms) if api.platforms is not None else None
            found.append(Counterpart(each, True, signature(each, api.parameters), platforms, api.deprecated))
    return found


def _reproduction(name: str, example: str) -> str:
    call = example.partition("  #")[0] or sample_call(name)
    return f"import torch\n\ntorch.manual_seed(0)\nresult = {call}\nprint(result)" + ("" if example else f"\nprint(torch.__version__)  # {torchfacts.version()} was read")


def _expected(name: str, example: str, message: str) -> str:
    if example:
        return f"PyTorch's result for these arguments; the evidence run notes: {' '.join(message.split())}"
    return f"The result that https://docs.pytorch.org/docs/stable/generated/{name}.html describes (printed above: values, shape and dtype)."


def _attempt(name: str, entry: EntryCard | None, searched: list[Counterpart]) -> str:
    if entry is not None and entry.kind != "absent":
        return entry.source
    if searched:
        lines = [f"# {each.signature or each.name}" for each in searched]
        return "import mindspore\n\n" + "\n".join(lines) + f"\nprint({searched[0].name})  # the same name, not the same function: see below"
    last = name.rpartition(".")[2]
    return "import mindspore\n\n" + "\n".join(f"print(hasattr({space}, {last!r}))  # False" for space in ("mindspore.ops", "mindspore.mint", "mindspore.nn"))


def _observed(shown: ApiCard, message: str, searched: list[Counterpart]) -> str:
    if message:
        return " ".join(message.split())
    if shown.entries and shown.entries[0].kind != "absent":
        return "The equivalent above has declared differences; see below."
    if searched:
        return f"MindSpore {shown.mindspore} has the names listed below, none of which computes the same; why: see Policy."
    return f"MindSpore {shown.mindspore} has no API of this name."


def _uses(name: str, discovery: Discovery) -> list[PlaceOfUse]:
    project = Project(discovery.files)
    found = []
    for file in discovery.files:
        facts = project.facts(file)
        lines = sorted({use.node.lineno for use in (*facts.uses, *facts.indirect) if use.name == name})
        found += [PlaceOfUse(file.relative.as_posix(), line, file.line(line).strip()) for line in lines]
    return found


def render(draft: IssueDraft) -> str:
    """The draft as Markdown."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(loader=PackageLoader("mindport.report"), undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.get_template("issue.md.j2").render(d=draft)


def render_json(draft: IssueDraft) -> str:
    """The draft as JSON text."""
    return msgspec.json.format(msgspec.json.encode(draft), indent=1).decode() + "\n"
