"""B7 and B8: named practices, each shown by an API, a setting, or a name of the project's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.blocks import Block, belongs_to
from mindport.analysis.recipe.calls import takes_part
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.default_kinds import made_by_default
from mindport.analysis.recipe.evaluation import file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.freezing import kept_statistics, switched_off, toggling
from mindport.analysis.recipe.settings import OWNERS, Setting, Settings, normal, trains
from mindport.analysis.recipe.unread import unread_names
from mindport.analysis.recipe.vocabulary import Trick
from mindport.analysis.subject import MOST_QUOTED, Subject
from mindport.analysis.training_places import accumulations
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.file import SourceFile

_OFF = ("0", "0.0", "None", "False", "false", "null", "''")
_MOST_QUOTES = 12
#: Kinds of settings that somebody chose: where they are off, a class of that name alone shows no practice.
_CHOSEN = ("file", "script", "argument", "field")
#: What hands a configuration's entries on by their names.
_BUILDERS = ("instantiate", "LightningCLI", "build_from_cfg", "Registry", "HfArgumentParser", "parse_json_file", "deepspeed", "from_config")
#: Seeds that are other ones in each run.
_DRAWN = re.compile(r"(int\()?((np|numpy)\.)?(random|time|secrets)\.\w+\(")
_LOSS = re.compile(r"([Ll]oss|[Cc]riterion)")


@dataclass(frozen=True)
class _Project:
    """What every trick is looked for in."""

    subject: Subject
    settings: Settings
    follower: Follower
    conditions: Conditions
    uses: list[tuple[SourceFile, Use]]
    #: Programs that train nothing: paths.
    tools: set[str]
    written: Sequence[Block]
    #: Every word of the project's Python files.
    words: frozenset[str]
    #: Functions that switch gradients off for what is not trained, or for a while.
    toggling: frozenset[str]
    #: Settings that the code only hands on.
    unread: frozenset[str]


def tricks(subject: Subject, settings: Settings, follower: Follower, conditions: Conditions, written: Sequence[Block]) -> Iterator[Answer]:
    """A row for each trick that something shows, of structure first; one row for a group that shows none."""
    called = subject.written_names
    named = [each for each in _names(subject) if each[3] or called is None or each[0] in called]
    uses = [
        (file, use) for file, use in subject.uses()
        if use.kind not in ("type", "check") and not subject.aside(file.relative) and not subject.in_self_test(file, use.node)
    ]  # fmt: skip
    apart = {file for file in subject.files if subject.programs.apart(file)}
    uses = [each for each in uses if each[0] not in apart and not file_evaluates(str(each[0].relative))] or uses
    tools = {str(file.relative) for file in subject.files if subject.tool(file) or file in apart}
    project = _Project(subject, settings, follower, conditions, uses, tools, written, _python_words(subject), toggling(subject, follower), unread_names(subject))
    for row, title, zh, group in (
        ("B7", "Structure tricks", "结构技巧", words.STRUCTURE), ("B8", "Process tricks", "训练技巧", words.PROCESS),
    ):  # fmt: skip
        here = [each for each in named if row != "B7" or each[2].path not in tools]
        found = [answer for trick in group if (answer := _trick(row, trick, project, here)) is not None]
        yield from found or [Answer(row, title, "not found", "none of those known by name", zh=zh)]


def _trick(row: str, trick: Trick, project: _Project, named: list[tuple[str, str, Quote, bool]]) -> Answer | None:
    subject, settings, follower = project.subject, project.settings, project.follower
    shown: list[str] = []
    quotes: list[Quote] = []
    off: list[Setting] = []
    unlimited: list[tuple[str, Quote]] = []
    unread: list[tuple[str, Quote]] = []
    positive = False
    for file, use in project.uses:
        held = row == "B7" and use.kind == "value" and use.name.startswith(trick.apis or ("-",)) and made_by_default(follower, file, use.node)
        if row == "B7" and (use.kind not in ("call", "base") and not held or not takes_part(subject, file, use.node)):
            continue  # isinstance(m, nn.GroupNorm) in a tuple builds none, nor does a class that nobody names
        given = keyword_given(trick, use, follower, file)
        foreign = row == "B7" and trick.names and not use.name.startswith(torch_names.ANSWERED) and _is_part(trick.names, normal(use.name.rpartition(".")[2]))
        if use.kind != "call" and use.name.rpartition(".")[0].rpartition(".")[2][:1].isupper():
            continue  # an attribute of an object: a weight that is set, the module inside
        if trick.apis and use.name.startswith(trick.apis) or given or foreign:
            text = given or use.name + _shown_argument(use, follower, file)
            if use.name.startswith(torch_names.CLIPPING) and re.search(r"\((None|null|0|0\.0|-[\d.]+)\)$", text):
                unlimited.append((text, subject.quote(file, use.node)))  # a limit of zero or less stands for none, as None does
                continue
            if why := (project.conditions.why_left_out if row == "B7" else project.conditions.off)(file, use.node):
                unlimited.append((f"{text} ({why})", subject.quote(file, use.node)))
                continue
            shown.append(text)
            quotes.append(subject.quote(file, use.node))
            positive = positive or isinstance(use.node, ast.Call) and any(isinstance(a, ast.Constant) and isinstance(a.value, float) and a.value > 0 for a in use.node.args)
    if trick.settings and (not trick.beside or any(re.match(trick.beside, word) for word in project.words)):
        for setting in [*settings.matching(trick.settings), *(settings.telling(trick.told) if trick.told else ())]:
            if subject.aside(setting.quote.path) or setting.kind == "document" or row == "B8" and setting.of_part or row == "B7" and setting.quote.path in project.tools:
                continue
            said = belongs_to(project.written, setting.quote.path, setting.quote.line, setting.name) if trick.components else ""
            if said and not re.search(trick.components, f"{normal(said)} {normal(setting.name)}"):
                continue
            if setting.kind == "argument" and setting.of_evaluation:
                continue
            if setting.kind == "parameter" and not trains(setting) and not (trick.of_losses and _LOSS.search(setting.owner)):
                continue  # what a layer can be given is no choice of a run; what a trainer starts with is
            if setting.value in (*_OFF, *trick.off):
                off.append(setting)
                continue
            dead = setting.kind in ("file", "argument", "script") and normal(setting.name) in project.unread and not project.words.intersection(_BUILDERS)
            if dead or setting.kind == "file" and setting.under and not project.words & {setting.name, setting.under, *_BUILDERS}:
                unread.append((f"{setting.name}={setting.short}", setting.quote))
                continue
            shown.append(f"{setting.name}={setting.short}")
            quotes.append(setting.quote)
            positive = True
    for text, quote, why in [*((*each, "") for each in _methods(trick, project)), *_outside(trick, project)]:
        if why:
            unlimited.append((f"{text} ({why})", quote))
            continue
        shown.append(text)
        quotes.append(quote)
    for each in accumulations(subject) if trick.updates else ():
        number = follower.follow(each.file, each.number)
        if number.text not in trick.off and not subject.in_self_test(each.file, each.place):
            shown.append(f"{each.optimizer} steps once for {number.text if number.known else each.every} backward passes")
            quotes += [subject.quote(each.file, each.place), *number.quotes]
    for block in project.written if trick.switches else ():
        if re.fullmatch(trick.switches, normal(block.name)) and block.entries.get("enabled", ("", block.quote))[0] in ("True", "true"):
            shown.append(f"{block.name} enabled")
            quotes.append(block.entries["enabled"][1])
    for setting in _trainers(trick, settings):
        shown.append(f"Trainer({setting.name}={setting.short})")
        quotes.append(setting.quote)
    only_named = not quotes
    for pattern, variables in ((trick.names, False), (trick.variables, True)):
        wanted = re.compile(pattern or r"(?!)")
        for name, normal_name, quote, variable in named:
            if re.search(trick.elsewhere, quote.path.rpartition("/")[2]) or trick.switched_off and name in project.toggling:
                continue
            if variable is variables and wanted.fullmatch(normal_name) and not (trick.limit is not None and follower.always_none(name, trick.limit)):
                switched = [project.conditions.off(file, call) for file, call in follower.calls_of(name)] if not variables else []
                if switched and all(switched):
                    unlimited.append((f"{name} ({switched[0]})", quote))
                    continue
                shown.append(name)
                quotes.append(quote)
    for attribute in trick.switched_off:
        for what, quote, why in [*switched_off(subject, project.conditions, attribute, project.toggling), *kept_statistics(subject)]:
            if why:
                unlimited.append((f"{what} ({why})", quote))
                continue
            shown.append(what)
            quotes.append(quote)
            only_named = False
    named_off = bool(quotes) and only_named
    chosen_off = [s for s in off if s.kind in _CHOSEN]
    if trick.rate and off and not positive or chosen_off and only_named and quotes:
        shown, quotes = [], []
    if not quotes and unread:
        value = f"{trick.title}: " + ", ".join(dict.fromkeys(text for text, _ in unread)) + " (no code reads it)"
        return Answer(row, trick.title, "claimed only", value, tuple(dict.fromkeys(quote for _, quote in unread))[:_MOST_QUOTES], "", trick.zh)
    off = [s for s in off if s.kind == "argument" or s.value not in ("null", "None")]
    if not quotes:
        asked = [(f"{s.name}={s.short}", s.quote) for s in off if s.kind == "argument" or named_off] + unlimited
        if not asked:
            return None  # a value that is off and does nothing else is no practice of the project
        value = f"{trick.title}: off unless asked for: " + ", ".join(dict.fromkeys(text for text, _ in asked))
        return Answer(row, trick.title, "found", value, tuple(dict.fromkeys(quote for _, quote in asked))[:_MOST_QUOTES], "", trick.zh)
    shown = [f"{s.name}={s.short}" for s in off] + sorted(shown, key=lambda text: "=" not in text)  # values first
    quotes += [s.quote for s in off]
    value = f"{trick.title}: " + ", ".join(list(dict.fromkeys(shown))[:6])
    return Answer(row, trick.title, "found", value, tuple(dict.fromkeys(quotes))[:_MOST_QUOTES], "", trick.zh)


def _is_part(names: str, name: str) -> bool:
    """Whether another library's class, by its name, is such a part of a network, and no record or setting about one."""
    return bool(re.fullmatch(names, name)) and not re.search(r"output|config|processor|mask|args", name)


def _outside(trick: Trick, project: _Project) -> Iterator[tuple[str, Quote, str]]:
    """(text, place, what leaves it out) of calls of functions that no library of tensors has: ``np.random.seed(0)``."""
    last = {name.rpartition(".")[2] for name in trick.outside}
    for file, facts in project.subject.facts.items() if last else ():
        if project.subject.aside(file.relative) or str(file.relative) in project.tools or file_evaluates(str(file.relative)):
            continue
        for node in file.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in last and node.args and not project.subject.in_self_test(file, node):
                callee = facts.value(node.func)
                number = project.follower.follow(file, node.args[0])
                if isinstance(callee, v.Api) and callee.name in trick.outside and number.known:
                    yield f"{callee.name}({number.text})", project.subject.quote(file, node), project.conditions.off(file, node)


def _methods(trick: Trick, project: _Project) -> Iterator[tuple[str, Quote]]:
    """Calls of another library's objects: ``fabric.clip_gradients(model, max_norm=1.0)``."""
    for file, facts in project.subject.facts.items() if trick.methods else ():
        if project.subject.aside(file.relative) or str(file.relative) in project.tools or file_evaluates(str(file.relative)):
            continue
        for node in file.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in trick.methods:
                value = facts.value(node.func)
                if isinstance(value, v.Unknown) and (value.origin.startswith(words.DRIVERS) or re.fullmatch(words.DRIVER_NAMES, ast.unparse(node.func.value))):
                    given = [project.follower.follow(file, a).text for a in [*node.args, *(k.value for k in node.keywords)]]
                    numbers = [text for text in given if re.match(r"[-\d(]", text)]
                    yield f"{ast.unparse(node.func)}({', '.join(numbers)})", project.subject.quote(file, node)


def keyword_given(trick: Trick, use: Use, follower: Follower, file: SourceFile) -> str:
    """``Trainer(precision=16)`` where a call gives a keyword of the trick, and not as what switches it off."""
    if not isinstance(use.node, ast.Call):
        return ""
    for api, keyword in trick.keywords:
        called = use.name.removesuffix(torch_names.FROM_COMMAND_LINE)
        if called.rpartition(".")[2] != api.rpartition(".")[2] or not called.startswith(api.partition(".")[0]):
            continue
        for given in use.node.keywords:
            if given.arg == keyword:
                text = follower.follow(file, given.value).text
                if text.strip("'\"") not in (*_OFF, "32", "32-true"):
                    return f"{called.rpartition('.')[2]}({keyword}={text})"
    return ""


def _trainers(trick: Trick, settings: Settings) -> Iterator[Setting]:
    """What a configuration file gives a trainer under the keyword of the trick: ``trainer: precision: 16``."""
    for keyword in {keyword for api, keyword in trick.keywords if api.endswith(".Trainer")}:
        for setting in settings.named(keyword):
            if setting.kind == "file" and setting.owner in OWNERS and setting.value.strip("'\"") not in (*_OFF, *trick.off, "32", "32-true", "auto"):
                yield setting


def written_names(subject: Subject) -> frozenset[str] | None:
    """Every name that the project's code and configuration write somewhere else than where it is defined; None for what trains nothing.

    A library's classes are for others to use; what a project that trains defines and never names takes no part.
    """
    if not any(use.name.startswith(torch_names.TRAINING) for known in subject.facts.values() for use in known.uses):
        return None
    found: set[str] = set()
    apart = {} if any(_LOOKS_UP.search(file.text) for file in subject.files) else _networks(subject)
    inner: dict[str, set[str]] = {}
    for file in subject.files:
        for statement in file.tree.body:
            _collect(statement, frozenset(), inner.setdefault(apart[statement], set()) if statement in apart else found)
    for _, text in subject.texts(".yaml", ".yml", ".json", ".sh", ".gin", ".toml"):
        found.update(re.findall(r"\w+", text))
    while reached := [name for name in inner if name in found]:  # what a network that nobody names is made of is not used by that
        for name in reached:
            found |= inner.pop(name)
    return frozenset(found)


def _networks(subject: Subject) -> dict[ast.stmt, str]:
    """The top-level classes of modules, with their names."""
    return {
        node: node.name for file, known in subject.facts.items() for node in file.tree.body
        if isinstance(node, ast.ClassDef) and not node.decorator_list and torch_names.MODULE in known.ancestors.get(node, ())
    }  # fmt: skip


#: What looks a class up by a text.
_LOOKS_UP = re.compile(r"\bglobals\(|(?<!\.)\beval\((?!\))|importlib|__import__|__dict__|\bvars\(|\bgetattr\((?!self\b|args\b|opt\b|config\b|cfg\b|torch\b|optim\b|nn\b|F\b|np\b)")


def _collect(node: ast.AST, inside: frozenset[str], found: set[str]) -> None:
    """Names below a node, but for a definition's own within it: ``super(Loss, self)`` uses nothing."""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return  # a list of what others may use uses nothing
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        if node.decorator_list:
            found.add(node.name)  # a decorator may register it
        inside = inside | {node.name}
    elif isinstance(node, ast.Name):
        found |= {node.id} - inside
    elif isinstance(node, ast.ImportFrom):
        found.update(alias.name for alias in node.names if alias.asname and alias.asname != alias.name)  # from dbpn import Net as DBPN
    elif isinstance(node, ast.Attribute):
        found.add(node.attr)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < MOST_QUOTED:
        found |= set(re.findall(r"\w+", node.value)) - inside
    for child in ast.iter_child_nodes(node):
        _collect(child, inside, found)


def _python_words(subject: Subject) -> frozenset[str]:
    """Every name, attribute, keyword and word of a text in the project's Python files."""
    found: set[str] = set()
    for file in subject.files:
        found.update(re.findall(r"\w+", file.text))
    return frozenset(found)


def _shown_argument(use: Use, follower: Follower, file: SourceFile) -> str:
    """The limit of a gradient clipping call and the number of a seed, followed."""
    if not isinstance(use.node, ast.Call):
        return ""
    if use.name.endswith(torch_names.SEEDS) and use.node.args:
        number = follower.follow(file, use.node.args[0])
        if _DRAWN.match(number.text):
            return "(a number drawn in each run)"
        return f"({number.text})" if number.known and number.text not in ("None", "null") else ""
    if not use.name.startswith(torch_names.CLIPPING):
        return ""
    limit = next((k.value for k in use.node.keywords if k.arg in ("max_norm", "clip_value")), use.node.args[1] if len(use.node.args) > 1 else None)
    return f"({follower.follow(file, limit).text})" if limit is not None else ""


def _names(subject: Subject) -> Iterator[tuple[str, str, Quote, bool]]:
    """(name, normal form, place, whether it is a variable) of the project's classes, functions, and variables that a call made."""
    for file in subject.files:
        if subject.aside(file.relative):
            continue
        for node in file.nodes:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                yield node.name, normal(node.name), subject.quote(file, node), False
            elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Call, ast.BinOp)) and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id, normal(node.targets[0].id), subject.quote(file, node), True
