"""B: the training recipe, as the guide's checklist; each row with the places that show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from mindport.analysis.answers import Answer, Quote, Section
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.augmentation import augmentation
from mindport.analysis.recipe.blocks import Block, belongs_to, blocks
from mindport.analysis.recipe.by_name import asked_for, bound_early, called_by_name, handed_package
from mindport.analysis.recipe.calls import calls, definitions, in_use, running, takes_part
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.defaults import trainers_optimizer, trainers_schedule
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.groups import added_groups, written_groups
from mindport.analysis.recipe.initialisation import (
    built_trained,
    constructed,
    filled_by_functions,
    loaded_before,
    own_initialisation,
    pretrained,
    told_to_networks,
    trained_before,
)
from mindport.analysis.recipe.keywords import gathered
from mindport.analysis.recipe.loaders import batch_size, shuffling
from mindport.analysis.recipe.loops import counted_elsewhere, lengths
from mindport.analysis.recipe.named import beside, named_optimizers, named_schedules, table_of_optimizers
from mindport.analysis.recipe.rows import deciding, row, unique
from mindport.analysis.recipe.schedules import (
    about_the_rate,
    chosen_schedules,
    computed_warm_ups,
    foreign_schedules,
    held_schedules,
    made_anew,
    never_stepped,
    reads_the_rate,
    sets_back,
    warm_ups_by_hand,
)
from mindport.analysis.recipe.settings import Settings, normal
from mindport.analysis.recipe.tricks import tricks
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.source.file import SourceFile

LETTER = "B"
#: What the block of a length of training may say it is; a layer has iterations, too.
_RUNS = re.compile(r"runner|trainer|loop|schedule|train")
#: A whole number of that size counts something, epochs or steps; lists of zeros and ones are no rates.
_COUNT = re.compile(r"[5-9]\d|\d{3,}")
_FLAGS = re.compile(r"[\[(]\s*[01](\s*,\s*[01])*\s*,?\s*[\])]")
_OPTIMIZER_SETTING = r"(optim(izer)?(_name|_type)?|opt)"


def section(subject: Subject) -> Section:
    """Every row of the checklist."""
    settings, follower = subject.settings, subject.follower
    written = list(blocks(subject))
    conditions = Conditions(subject, follower)
    answers = [
        *_unreadable(subject), augmentation(subject, settings, written, conditions), shuffling(subject, follower), *_optimizers(subject, follower, settings, written, conditions),
        *_schedule(subject, follower, settings, written, conditions), _initialisation(subject, follower, conditions), _epochs(subject, follower, settings, written),
        batch_size(subject, follower, settings), *tricks(subject, settings, follower, conditions, written),
    ]  # fmt: skip
    return Section(LETTER, "Training recipe", "训练配方", tuple(answers))


def _unreadable(subject: Subject) -> Iterator[Answer]:
    """A row for Python files that do not parse: what they train with is not below."""
    paths = sorted(path.relative_to(subject.root).as_posix() for path in subject.others if path.suffix == ".py")
    if paths:
        value = f"{', '.join(paths[:4])}{' …' if len(paths) > 4 else ''}: the rows below say nothing of what stands there"
        yield Answer("B9", "Files that do not parse", "unknown", value, tuple(Quote(path, 1, "see MP901") for path in paths[:4]), "", "不能解析的文件")


def _optimizers(subject: Subject, follower: Follower, settings: Settings, written: list[Block], conditions: Conditions) -> Iterator[Answer]:
    found = False
    in_blocks = any(True for _ in named_optimizers(written, follower, dotted=False))
    made = [*calls(subject, words.OPTIMIZERS, words.SCHEDULERS), *called_by_name(subject, follower), *bound_early(subject)]
    for file, name, call in asked_for(running(subject, made), conditions):
        short = name.rpartition(".")[2]
        if name.startswith(words.SCHEDULERS) or not short[0].isupper() or ".swa_utils." in name:
            continue
        if in_blocks and call.args and all(isinstance(a, ast.Starred) for a in call.args) and all(k.arg is None for k in call.keywords) and not gathered(subject, file, call, conditions):
            continue  # getattr(package, config["type"])(*args, **config["args"]): the blocks below say more
        found = True
        parts, quotes = [short], [subject.quote(file, call)]
        if not name.startswith(words.OPTIMIZERS) and (kinds := table_of_optimizers(subject))[0]:
            chosen = [s for s in settings.matching(_OPTIMIZER_SETTING) if s.value.strip("'\"").isidentifier() and not s.of_evaluation]
            by_setting = unique("{}={}".format(s.name, s.short.strip("\"'")) for s in chosen)
            parts = [f"{short} ({', '.join([*by_setting, 'one of ' + ', '.join(kinds[0])])})"]
            quotes += [*(s.quote for s in chosen), *kinds[1]]
        positional = words.POSITIONAL.get(short, ("params", "lr"))
        if subject.facts[file].value(call.args[0] if call.args else call.func) == v.Api(name):
            positional = ()  # functools.partial(Adam, …)
        arguments = list(zip(positional, call.args, strict=False)) + [(k.arg, k.value) for k in call.keywords if k.arg]
        unpacked = [k.value for k in call.keywords if k.arg is None]
        naming = {s.quote.path for s in settings.matching(_OPTIMIZER_SETTING) if s.value.strip("'\"").lower() == short.lower()}
        sections = [each for node in unpacked for each in follower.section(node, naming | follower.naming(node, short))]
        arguments += gathered(subject, file, call, conditions) or [("**", node) for node in unpacked if not sections]
        parts += [f"{key}={followed.text}" for key, followed in sections]
        quotes += [quote for _, followed in sections for quote in followed.quotes]
        for argument, node in arguments:
            if argument == "params":
                for text, places in written_groups(subject, follower, file, node, conditions):
                    parts.append(text)
                    quotes += places
                continue
            followed = follower.follow(file, node)
            shown = followed.text if followed.known or ast.unparse(node) == followed.text else ast.unparse(node)
            parts.append(f"{argument}={shown}")
            quotes += followed.quotes
        for text, places in added_groups(subject, follower, file, call):
            parts.append(text)
            quotes += places
        yield row("B3", "Optimizer", "优化器", ", ".join(parts), quotes)
    named = list(named_optimizers(written, follower, dotted=found))
    handed = [each for file, call in handed_package(subject) for a in call.args if isinstance(a, (ast.Name, ast.List)) for each in written_groups(subject, follower, file, a, conditions)]
    for text, places in named:
        yield row("B3", "Optimizer", "优化器", ", ".join([text, *unique(text for text, _ in handed)]), [*places, *(q for _, quotes in handed for q in quotes)])
    if found:
        return
    chosen = [s for s in settings.matching(_OPTIMIZER_SETTING) if s.value.strip("'\"").isidentifier() and not s.of_evaluation]
    table, places = table_of_optimizers(subject) if not named else ([], [])
    if not chosen and not named and not table and (by_itself := list(trainers_optimizer(subject))):
        told = [(f"{s.name}={s.short}", s.quote) for s in deciding(settings.matching(words.LEARNING_RATE + r"|weight_decay|adam_beta[12]|adam_epsilon"))]
        yield row("B3", "Optimizer", "优化器", ", ".join(unique(["AdamW (the Trainer's default)", *(text for text, _ in told)])), [*by_itself, *(q for _, q in told)])
    elif chosen or not named:
        told = [(f"{s.name}={s.short}", s.quote) for s in chosen] + [each for s in chosen[:1] for each in beside(settings, s.owner)]
        value = ", ".join(unique(text for text, _ in told) + [f"chosen by a name from {', '.join(table)}"] * bool(table))
        yield row("B3", "Optimizer", "优化器", value, [*(quote for _, quote in told), *places])


def _schedule(subject: Subject, follower: Follower, settings: Settings, written: list[Block], conditions: Conditions) -> Iterator[Answer]:
    parts: list[str] = []
    quotes: list[Quote] = []
    warming: list[tuple[str, Quote]] = []
    in_sections: set[str] = set()
    named = list(named_schedules(written, follower))
    made = list(calls(subject, words.SCHEDULERS))
    made = running(subject, made) if not in_use(subject, list(calls(subject, words.OPTIMIZERS, words.SCHEDULERS))) else in_use(subject, made)
    own_schedules = [
        (file, definition) for file, definition in definitions(subject)
        if re.fullmatch(words.SCHEDULE_NAMES, normal(definition.name)) and not subject.aside(file.relative) and not reads_the_rate(definition) and not conditions.left_out(file, definition)
    ]  # fmt: skip
    own_schedules = [each for each in own_schedules if takes_part(subject, *each)] or ([] if made else own_schedules)
    own_schedules = chosen_schedules(subject, own_schedules, [text.partition(",")[0] for text, _ in named])
    for file, name, call in [*asked_for(made, conditions, not own_schedules), *asked_for(list(foreign_schedules(subject)), conditions), *held_schedules(subject)]:
        given = []
        unpacked = [k.value for k in call.keywords if k.arg is None]
        sections = [each for node in unpacked for each in follower.section(node, follower.naming(node, name.rpartition(".")[2]))]
        entries = gathered(subject, file, call, conditions) or [("**", node) for node in unpacked if not sections]
        given += [f"{key}={followed.text}" for key, followed in sections]
        in_sections |= {name.rpartition(".")[2]} if sections else set()
        quotes += [quote for _, followed in sections for quote in followed.quotes[:1]]
        for index, (keyword, node) in enumerate([("", a) for a in call.args] + [(k.arg, k.value) for k in call.keywords if k.arg] + entries):
            if (index or keyword) and keyword != "optimizer":
                followed = follower.follow(file, node)
                given.append((f"{keyword}=" if keyword else "") + followed.text)
                quotes += followed.quotes[:1]
                if re.fullmatch(words.WARM_UP, normal(keyword)):
                    warming.append((f"{keyword}={followed.text}", subject.quote(file, node)))
        if rises := words.RISING.get(name.rpartition(".")[2]):
            warming.append((next((each for each in given if each.startswith(rises[0] + "=")), f"{rises[0]}={rises[1]} (default)"), subject.quote(file, call)))
        if not name.rpartition(".")[2].lstrip("_")[:1].isupper() and not [each for each in given if not each.startswith("**")] and named:
            continue  # scheduler(**options): the blocks below say which
        if re.fullmatch(words.WARM_UP, normal(name.rpartition(".")[2])) and not warming:
            warming.append((f"{name.rpartition('.')[2]}({', '.join(each for each in given if not re.search(r'sched', each))})", subject.quote(file, call)))
        stopped = never_stepped(file, call, conditions)
        parts.append(f"{name.rpartition('.')[2]}({', '.join(given)})" + f" (off unless asked for: {stopped})" * bool(stopped))
        quotes.insert(0, subject.quote(file, call))
    told = [part.partition("(")[0] for part in parts if not re.search(r"\(\*\*=\w+\)$", part)]
    parts = [part for part in parts if not (part.endswith(")") and re.search(r"\(\*\*=\w+\)$", part) and part.partition("(")[0] in told)]
    parts += [definition.name for _, definition in own_schedules]
    quotes += [subject.quote(file, definition) for file, definition in own_schedules]
    for text, places in named:
        if text.partition(",")[0] not in in_sections:
            parts.append(text)
            quotes += places
    chosen = deciding(settings.matching(words.SCHEDULE_SETTINGS))
    parts += [f"{s.name}={s.short}" for s in chosen]
    quotes += [s.quote for s in chosen]
    by_hand = list(_learning_rates_written(subject))
    by_hand = [each for each in by_hand if takes_part(subject, *each)] or ([] if parts else by_hand)
    for file, place in by_hand:
        quotes.append(subject.quote(file, place))
        parts.append("the learning rate is written by hand")
    for file, call, rate in made_anew(subject, running(subject, list(calls(subject, words.OPTIMIZERS, words.SCHEDULERS)))):
        quotes.append(subject.quote(file, call))
        parts.append(f"the optimizer is made anew with lr={ast.unparse(rate)}")
    if not parts:
        for text, quote in trainers_schedule(subject):
            parts.append(text)
            quotes.append(quote)
    yield row("B4", "Learning-rate schedule", "学习率策略", ", ".join(unique(parts)[:16]), quotes)
    elsewhere = {normal(s.name) for s in settings.telling("warming something else")}
    warm = deciding([s for s in settings.matching(words.WARM_UP) if normal(s.name) not in elsewhere and re.fullmatch(words.WARM_UP, normal(f"{s.owner}_{s.name}")) or "/" in s.owner])
    told_so = settings.telling("warm-up")
    warm = warm or deciding([s for each in told_so for s in settings.named(each.name)]) or told_so
    own = [
        (definition.name, subject.quote(file, definition)) for file, definition in definitions(subject)
        if re.fullmatch(words.WARM_UP, normal(definition.name)) and not subject.aside(file.relative) and about_the_rate(file, definition)
    ] + warming  # fmt: skip
    if not warm and not own:
        own = list(computed_warm_ups(subject, follower)) or list(warm_ups_by_hand(subject, by_hand))
    shown = unique([*(f"{s.name}={s.short}" for s in warm), *(name for name, _ in own)])
    if not shown:  # the code warms up where a setting is given that nobody gives
        warm = [s for s in settings.matching(words.WARM_UP) if s.kind in ("file", "argument") and s.value in ("None", "null", "") and normal(s.name) not in elsewhere and by_hand]
        shown = [f"{s.name}={s.short} (nothing gives it)" for s in warm[:1]]
    off = "off: " if warm and not own and all(s.value in ("0", "0.0", "False", "false", "None", "null") or s.value.startswith("-") for s in warm) else ""
    yield row("B4", "Warm-up", "学习率预热", off + ", ".join(shown[:8]), [*(s.quote for s in warm), *(quote for _, quote in own)])
    rates = _settings_row(settings, "B4", "Learning rate", "学习率", words.LEARNING_RATE)
    yield rates if rates.status == "found" else _rates_given(subject, follower, settings, written, rates)


def _rates_given(subject: Subject, follower: Follower, settings: Settings, written: Sequence[Block], otherwise: Answer) -> Answer:
    """The rates that stand in the optimizers' calls, or whose help texts say so, where no setting has their name."""
    parts, quotes = [], []
    for setting in deciding(settings.telling("rate")):
        parts.append(f"{setting.name}={setting.short}")
        quotes.append(setting.quote)
    if parts:
        return row(otherwise.row, otherwise.title, otherwise.zh, ", ".join(unique(parts)), quotes)
    for file, name, call in running(subject, list(calls(subject, words.OPTIMIZERS, words.SCHEDULERS))):
        node = next((k.value for k in call.keywords if k.arg == "lr"), call.args[1] if len(call.args) > 1 else None)
        followed = follower.follow(file, node) if node is not None and name.rpartition(".")[2][:1].isupper() else None
        if followed is not None and followed.known:
            parts.append(followed.text)
            quotes += [subject.quote(file, call), *followed.quotes]
    for text, places in named_optimizers(written, follower, dotted=bool(parts)):
        if rate := re.search(r"\blr=([^,]*\d[^,]*)", text):
            parts.append(rate[1])
            quotes += places
    return row(otherwise.row, otherwise.title, otherwise.zh, ", ".join(unique(parts)), quotes) if parts else otherwise


def _epochs(subject: Subject, follower: Follower, settings: Settings, written: Sequence[Block]) -> Answer:
    """Settings that are called so; else what the loops say that train. Loops over a number that is written out belong to either."""
    rollouts = {normal(s.name) for s in settings.telling("rollout")}
    chosen = [
        s for s in settings.matching(words.EPOCHS)
        if normal(s.name) not in rollouts and (not (said := belongs_to(written, s.quote.path, s.quote.line, s.name)) or _RUNS.search(normal(said)))
    ] + [s for s in settings.telling("epochs") if not re.fullmatch(words.EPOCHS, normal(s.name))]  # fmt: skip
    chosen = deciding([s for s in chosen if _is_number(s.value) and not s.value.startswith("-") and "," not in s.value])
    chosen = [s for s in chosen if s.value != "1" or s.kind == "script"] or chosen  # once is no length of a training
    elsewhere = counted_elsewhere(subject)
    chosen = [s for s in chosen if normal(s.name) not in elsewhere]
    shown = row("B6", "Epochs, iterations", "训练轮数", ", ".join(unique(f"{s.name}={s.short}" for s in chosen)[:10]), [s.quote for s in chosen])
    found = list(lengths(subject, follower))
    if shown.status == "found":
        set_in = {quote.path for quote in shown.quotes}
        found = [each for each in found if each[2].path not in set_in and each[1]]
    values = [*shown.value.split(", ")] if shown.status == "found" else []
    quotes = list(shown.quotes) if shown.status == "found" else []
    return row("B6", shown.title, shown.zh, ", ".join([*values, *unique(text for text, _, _ in found)][:10]), [*quotes, *(q for _, _, q in found)]) if found else shown


def _learning_rates_written(subject: Subject) -> Iterator[tuple[SourceFile, ast.AST]]:
    """``param_group["lr"] = …`` outside of an optimizer, whatever the group is called."""
    for file in subject.files:
        groups = {
            loop.target.id for loop in file.nodes
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and "param_groups" in ast.unparse(loop.iter)
        }  # fmt: skip
        for node in file.nodes:
            if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Mult, ast.Div)) and isinstance(node.target, ast.Attribute) and re.fullmatch(words.LEARNING_RATE, normal(node.target.attr)) and subject.programs.trains(file):
                yield file, node  # args.lr *= 0.1
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if not (isinstance(target, ast.Subscript) and isinstance(key := target.slice, ast.Constant)):
                    continue
                receiver = ast.unparse(target.value)
                if key.value == "lr" and ("group" in receiver and not _makes_groups(file, target.value) or receiver in groups) and not sets_back(subject, file, node):
                    yield file, node


def _makes_groups(file: SourceFile, node: ast.expr) -> bool:
    """Whether what an entry is stored into is a table of groups that an optimizer gets later: it is made in the same file, as a dictionary."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    made = [n.value for n in file.nodes if isinstance(n, ast.Assign) and isinstance(node, ast.Name) and any(isinstance(t, ast.Name) and t.id == node.id for t in n.targets)]
    return bool(made) and all(isinstance(value, (ast.Dict, ast.List)) or isinstance(value, ast.Call) and re.search(r"(^|\.)(defaultdict|OrderedDict|dict)$", ast.unparse(value.func)) is not None for value in made)


def _initialisation(subject: Subject, follower: Follower, conditions: Conditions) -> Answer:
    counted: dict[str, int] = {}
    quotes = []
    for file, use in subject.uses(*words.INITIALISERS):
        if use.kind == "call" or use.kind == "value" and re.search(words.HELD_INITIALISERS, use.name):
            short = use.name.rpartition(".")[2]
            if short in words.NO_INITIALISERS or subject.in_self_test(file, use.node) or not takes_part(subject, file, use.node) or conditions.off(file, use.node):
                continue
            counted[short] = counted.get(short, 0) + 1
            quotes.append(subject.quote(file, use.node))
    for what, quote in [*own_initialisation(subject), *filled_by_functions(subject), *constructed(subject), *told_to_networks(subject), *pretrained(subject), *trained_before(subject, follower), *built_trained(subject, follower), *loaded_before(subject, follower)]:
        counted[what] = counted.get(what, 0) + 1
        quotes.append(quote)
    value = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in counted.items())
    made = row("B5", "Initialisation", "参数初始化", value, quotes)
    if quotes:
        return made
    return Answer("B5", made.title, "not found", "the layers' own defaults", (), "", made.zh)


def _is_number(value: str) -> bool:
    """What starts at 0 is a counter or is off; what is no number belongs to something else."""
    return bool(re.match(r"[-+]?[\d(\[.]", value)) and value not in ("0", "0.0")


def _settings_row(settings: Settings, number: str, title: str, zh: str, pattern: str) -> Answer:
    chosen = deciding([s for s in settings.matching(pattern) if _is_number(s.value) and not _COUNT.fullmatch(s.value) and not _FLAGS.fullmatch(s.value) and s.tells != "factor" and not re.search(words.WARM_UP, normal(s.name))])
    return row(number, title, zh, ", ".join(unique(f"{s.name}={s.short}" for s in chosen)[:10]), [s.quote for s in chosen])
