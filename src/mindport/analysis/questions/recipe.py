"""B: the training recipe, as the guide's checklist; each row with the places that show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mindport.analysis.answers import Answer, Quote, Section
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.blocks import Block, blocks
from mindport.analysis.recipe.defaults import (
    drawn_orders,
    gathered,
    own_order,
    trainers_optimizer,
    trainers_schedule,
    unpacked,
)
from mindport.analysis.recipe.drawn_changes import drawn_changes
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.groups import added_groups, written_groups
from mindport.analysis.recipe.initialisation import (
    constructed,
    own_initialisation,
    pretrained,
    trained_before,
)
from mindport.analysis.recipe.loops import lengths
from mindport.analysis.recipe.named import beside, named_optimizers, named_schedules, table_of_optimizers
from mindport.analysis.recipe.schedules import (
    about_the_rate,
    foreign_schedules,
    held_schedules,
    reads_the_rate,
)
from mindport.analysis.recipe.settings import KINDS, Setting, Settings, normal, trains
from mindport.analysis.recipe.tricks import tricks, written_names
from mindport.analysis.subject import Subject, in_tests
from mindport.inference import values as v
from mindport.source.file import SourceFile

LETTER = "B"
#: More places than this prove nothing more.
_MOST_QUOTES = 12
_OPTIMIZER_SETTING = r"(optim(izer)?(_name|_type)?|opt)"


def section(subject: Subject) -> Section:
    """Every row of the checklist."""
    settings, follower = subject.settings, subject.follower
    written = list(blocks(subject))
    answers = [
        _augmentation(subject, settings), _shuffle(subject, follower), *_optimizers(subject, follower, settings, written),
        *_schedule(subject, follower, settings, written), _initialisation(subject, follower), _epochs(subject, follower, settings),
        _batch(subject, follower, settings), *tricks(subject, settings, follower),
    ]  # fmt: skip
    return Section(LETTER, "Training recipe", "训练配方", tuple(answers))


def answer(row: str, title: str, zh: str, value: str, quotes: Iterable[Quote], advice: str = "") -> Answer:
    """A row that is found where something shows it."""
    shown = tuple(dict.fromkeys(quotes))
    told = all(quote.path.endswith((".md", ".rst")) for quote in shown)
    return Answer(row, title, "not found" if not shown else "claimed only" if told else "found", value, shown[:_MOST_QUOTES], advice if shown else "", zh)


def _augmentation(subject: Subject, settings: Settings) -> Answer:
    names: dict[str, Quote] = {}
    for file, use in subject.uses(*words.AUGMENTATIONS):
        short = use.name.rpartition(".")[2]
        if use.kind in ("call", "value") and short not in words.PREPARATIONS and not short.isupper() and (short[0].isupper() or short.startswith("create_")):
            names.setdefault(short, subject.quote(file, use.node))
    pattern = re.compile(words.AUGMENTATION_NAMES)
    written = written_names(subject)
    for file, node in definitions(subject):
        if pattern.fullmatch(normal(node.name)) and not subject.aside(file.relative) and (written is None or node.name in written) and _changes_data(node):
            names.setdefault(node.name, subject.quote(file, node))
    for text, quote in drawn_changes(subject):
        if text.rpartition(" ")[2] not in names:
            names.setdefault(text, quote)
    chosen = [s for s in settings.matching(words.AUGMENTATION_SETTINGS) if s.kind in ("file", "argument", "field", "attribute")]
    values = list(names) + _unique(f"{s.name}={s.short}" for s in chosen if s.name not in names)
    return answer("B1", "Data augmentation", "数据增强", ", ".join(values[:24]), [*names.values(), *(s.quote for s in chosen)])


def _changes_data(node: ast.ClassDef | ast.FunctionDef) -> bool:
    """Whether what is called an augmentation draws or hands on to what does: ``_augment_time_step`` adds fields to a record."""
    words_in = " ".join(
        inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else inner.arg if isinstance(inner, ast.arg) else ""
        for inner in ast.walk(node)
    )  # fmt: skip
    return isinstance(node, ast.ClassDef) or bool(re.search(words.DRAWS_DATA, words_in.lower()))


def _shuffle(subject: Subject, follower: Follower) -> Answer:
    values, quotes = [], []
    calls = list(_calls(subject, words.LOADERS))
    for file, _, call in [each for each in calls if not file_evaluates(str(each[0].relative))] or calls:
        keywords = {k.arg: k.value for k in call.keywords if k.arg} | unpacked(subject, file, call)
        given = [f"{each}={_told(subject, follower, file, keywords[each])}" for each in ("shuffle", "sampler", "batch_sampler") if each in keywords]
        hidden = any(k.arg is None for k in call.keywords) and not unpacked(subject, file, call)
        if not given and len(call.args) > 2:
            given = [f"shuffle={follower.follow(file, call.args[2]).text}"]
        values.append(", ".join(given) or ("given through **" if hidden else own_order(subject, file, call) or "shuffle=False (default)"))
        quotes.append(subject.quote(file, call))
    if not values:
        for text, quote in drawn_orders(subject):
            values.append(text)
            quotes.append(quote)
    advice = "MindSpore's GeneratorDataset shuffles by default: give shuffle=False or the sampler."
    return answer("B2", "Shuffling", "数据打乱", "; ".join(_unique(values)), quotes, advice)


def _told(subject: Subject, follower: Follower, file: SourceFile, node: ast.expr) -> str:
    """What a loader is told; the project's own samplers by name where their making cannot be shown."""
    text = follower.follow(file, node).text
    made = [o.cls.scope.name for o in v.options(subject.facts[file].value(node)) if isinstance(o, v.ProjectInstance)]
    return " or ".join(dict.fromkeys(made)) if made and "…" in text else text


def _optimizers(subject: Subject, follower: Follower, settings: Settings, written: list[Block]) -> Iterator[Answer]:
    found = False
    for file, name, call in _running(subject, list(_calls(subject, words.OPTIMIZERS, words.SCHEDULERS))):
        short = name.rpartition(".")[2]
        if name.startswith(words.SCHEDULERS) or not short[0].isupper() or ".swa_utils." in name:
            continue
        found = True
        parts, quotes = [short], [subject.quote(file, call)]
        if not name.startswith(words.OPTIMIZERS) and (kinds := table_of_optimizers(subject))[0]:
            chosen = [s for s in settings.matching(_OPTIMIZER_SETTING) if s.value.strip("'\"").isidentifier() and not s.of_evaluation]
            by_setting = _unique("{}={}".format(s.name, s.short.strip("\"'")) for s in chosen)
            parts = [f"{short} ({', '.join([*by_setting, 'one of ' + ', '.join(kinds[0])])})"]
            quotes += [*(s.quote for s in chosen), *kinds[1]]
        positional = words.POSITIONAL.get(short, ("params", "lr"))
        arguments = list(zip(positional, call.args, strict=False)) + [(k.arg, k.value) for k in call.keywords if k.arg]
        arguments += gathered(subject, file, call) or [("**", k.value) for k in call.keywords if k.arg is None]
        for argument, node in arguments:
            if argument == "params":
                for text, places in written_groups(subject, follower, file, node):
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
        yield answer("B3", "Optimizer", "优化器", ", ".join(parts), quotes)
    named = list(named_optimizers(written, follower, dotted=found))
    for text, places in named:
        yield answer("B3", "Optimizer", "优化器", text, places)
    if found:
        return
    chosen = [s for s in settings.matching(_OPTIMIZER_SETTING) if s.value.strip("'\"").isidentifier() and not s.of_evaluation]
    table, places = table_of_optimizers(subject) if not named else ([], [])
    if not chosen and not named and not table and (by_itself := list(trainers_optimizer(subject))):
        told = [(f"{s.name}={s.short}", s.quote) for s in _deciding(settings.matching(words.LEARNING_RATE + r"|weight_decay|adam_beta[12]|adam_epsilon"))]
        yield answer("B3", "Optimizer", "优化器", ", ".join(_unique(["AdamW (the Trainer's default)", *(text for text, _ in told)])), [*by_itself, *(q for _, q in told)])
    elif chosen or not named:
        told = [(f"{s.name}={s.short}", s.quote) for s in chosen] + [each for s in chosen[:1] for each in beside(settings, s.owner)]
        value = ", ".join(_unique(text for text, _ in told) + [f"chosen by a name from {', '.join(table)}"] * bool(table))
        yield answer("B3", "Optimizer", "优化器", value, [*(quote for _, quote in told), *places])


def _schedule(subject: Subject, follower: Follower, settings: Settings, written: list[Block]) -> Iterator[Answer]:
    parts: list[str] = []
    quotes: list[Quote] = []
    warming: list[tuple[str, Quote]] = []
    for file, name, call in [*_running(subject, list(_calls(subject, words.SCHEDULERS))), *foreign_schedules(subject), *held_schedules(subject)]:
        given = []
        entries = gathered(subject, file, call) or [("**", k.value) for k in call.keywords if k.arg is None]
        for index, (keyword, node) in enumerate([("", a) for a in call.args] + [(k.arg, k.value) for k in call.keywords if k.arg] + entries):
            if (index or keyword) and keyword != "optimizer":
                followed = follower.follow(file, node)
                given.append((f"{keyword}=" if keyword else "") + followed.text)
                quotes += followed.quotes[:1]
                if re.fullmatch(words.WARM_UP, normal(keyword)):
                    warming.append((f"{keyword}={followed.text}", subject.quote(file, node)))
        parts.append(f"{name.rpartition('.')[2]}({', '.join(given)})")
        quotes.insert(0, subject.quote(file, call))
    pattern = re.compile(words.SCHEDULE_NAMES)
    for file, definition in definitions(subject):
        if pattern.fullmatch(normal(definition.name)) and not subject.aside(file.relative) and not reads_the_rate(definition):
            parts.append(definition.name)
            quotes.append(subject.quote(file, definition))
    for text, places in named_schedules(written, follower):
        parts.append(text)
        quotes += places
    chosen = _deciding(settings.matching(words.SCHEDULE_SETTINGS))
    parts += [f"{s.name}={s.short}" for s in chosen]
    quotes += [s.quote for s in chosen]
    for file, place in _learning_rates_written(subject):
        quotes.append(subject.quote(file, place))
        parts.append("the learning rate is written by hand")
    if not parts:
        for text, quote in trainers_schedule(subject):
            parts.append(text)
            quotes.append(quote)
    yield answer("B4", "Learning-rate schedule", "学习率策略", ", ".join(_unique(parts)[:16]), quotes)
    warm = _deciding(settings.matching(words.WARM_UP))
    own = [
        (definition.name, subject.quote(file, definition)) for file, definition in definitions(subject)
        if re.fullmatch(words.WARM_UP, normal(definition.name)) and not subject.aside(file.relative) and about_the_rate(file, definition)
    ] + warming  # fmt: skip
    shown = _unique([*(f"{s.name}={s.short}" for s in warm), *(name for name, _ in own)])
    off = "off: " if warm and not own and all(s.value in ("0", "0.0", "False", "false") for s in warm) else ""
    yield answer("B4", "Warm-up", "学习率预热", off + ", ".join(shown[:8]), [*(s.quote for s in warm), *(quote for _, quote in own)])
    row = _settings_row(settings, "B4", "Learning rate", "学习率", words.LEARNING_RATE)
    yield row if row.status == "found" else _rates_given(subject, follower, row)


def _rates_given(subject: Subject, follower: Follower, otherwise: Answer) -> Answer:
    """The rates that stand in the optimizers' calls, where no setting has their name."""
    parts, quotes = [], []
    for file, name, call in _running(subject, list(_calls(subject, words.OPTIMIZERS, words.SCHEDULERS))):
        node = next((k.value for k in call.keywords if k.arg == "lr"), call.args[1] if len(call.args) > 1 else None)
        followed = follower.follow(file, node) if node is not None and name.rpartition(".")[2][:1].isupper() else None
        if followed is not None and followed.known:
            parts.append(followed.text)
            quotes += [subject.quote(file, call), *followed.quotes]
    return answer(otherwise.row, otherwise.title, otherwise.zh, ", ".join(_unique(parts)), quotes) if parts else otherwise


def _running(subject: Subject, calls: list[tuple[SourceFile, str, ast.Call]]) -> list[tuple[SourceFile, str, ast.Call]]:
    """Those that do not stand in a function nobody names; all where none is left."""
    written = written_names(subject)

    def named(file: SourceFile, call: ast.Call) -> bool:
        around = subject.function_around(file, call)
        return written is None or around is None or around not in file.tree.body or bool(around.decorator_list) or around.name in written

    return [each for each in calls if named(each[0], each[2])] or calls


def _epochs(subject: Subject, follower: Follower, settings: Settings) -> Answer:
    """Settings that are called so; else what the loops say that train."""
    row = _settings_row(settings, "B6", "Epochs, iterations", "训练轮数", words.EPOCHS)
    if row.status != "found" and (found := list(lengths(subject, follower))):
        return answer(row.row, row.title, row.zh, ", ".join(_unique(text for text, _ in found)[:10]), [quote for _, quote in found])
    return row

def _learning_rates_written(subject: Subject) -> Iterator[tuple[SourceFile, ast.AST]]:
    """``param_group["lr"] = …`` outside of an optimizer, whatever the group is called."""
    for file in subject.files:
        groups = {
            loop.target.id for loop in ast.walk(file.tree)
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and "param_groups" in ast.unparse(loop.iter)
        }  # fmt: skip
        for node in ast.walk(file.tree):
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if not (isinstance(target, ast.Subscript) and isinstance(key := target.slice, ast.Constant)):
                    continue
                receiver = ast.unparse(target.value)
                if key.value == "lr" and ("group" in receiver or receiver in groups):
                    yield file, node


def _initialisation(subject: Subject, follower: Follower) -> Answer:
    counted: dict[str, int] = {}
    quotes = []
    for file, use in subject.uses(*words.INITIALISERS):
        if use.kind == "call":
            short = use.name.rpartition(".")[2]
            counted[short] = counted.get(short, 0) + 1
            quotes.append(subject.quote(file, use.node))
    for what, quote in [*own_initialisation(subject), *constructed(subject), *pretrained(subject), *trained_before(subject, follower)]:
        counted[what] = counted.get(what, 0) + 1
        quotes.append(quote)
    value = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in counted.items())
    made = answer("B5", "Initialisation", "参数初始化", value, quotes)
    if quotes:
        return made
    return Answer("B5", made.title, "not found", "the layers' own defaults", (), "", made.zh)


def _settings_row(settings: Settings, row: str, title: str, zh: str, pattern: str) -> Answer:
    # what starts at 0 is a counter or is off; what is no number belongs to something else
    chosen = _deciding([s for s in settings.matching(pattern) if re.match(r"[-+]?[\d(\[.]", s.value) and s.value not in ("0", "0.0")])
    chosen = [s for s in chosen if row != "B6" or not s.value.startswith("-") and "," not in s.value]
    if row == "B6":
        chosen = [s for s in chosen if s.value != "1" or s.kind == "script"] or chosen  # once is no length of a training
    return answer(row, title, zh, ", ".join(_unique(f"{s.name}={s.short}" for s in chosen)[:10]), [s.quote for s in chosen])


def _batch(subject: Subject, follower: Follower, settings: Settings) -> Answer:
    parts, quotes = [], []
    calls = list(_calls(subject, words.LOADERS))
    training = [(file, name, call) for file, name, call in calls if not _evaluating(subject, file, call)]
    for file, _, call in training or calls:
        given = {k.arg: k.value for k in call.keywords if k.arg} | unpacked(subject, file, call)
        node = given.get("batch_size") or (call.args[1] if len(call.args) > 1 else None)
        if node is not None:
            followed = follower.follow(file, node)
            quotes += [subject.quote(file, call), *followed.quotes]
            if followed.known or followed.text != ast.unparse(node) and re.search(r"\d", followed.text):
                parts.append(followed.text)
    chosen = _deciding([s for s in settings.matching(words.BATCH) if s.value != "0"])
    parts += [f"{s.name}={s.short}" for s in chosen]
    return answer("B6", "Batch size", "批大小", ", ".join(_unique(parts)[:10]), quotes + [s.quote for s in chosen])


def _evaluating(subject: Subject, file: SourceFile, call: ast.Call) -> bool:
    """Whether a loader is one of evaluation: by the function and file that make it, and by the data that it is given."""
    function = subject.function_around(file, call)
    data = next((k.value for k in call.keywords if k.arg == "dataset"), call.args[0] if call.args else None)
    if file_evaluates(str(file.relative)) or function is not None and evaluates(function.name) or isinstance(data, ast.Name) and evaluates(data.id):
        return True
    told = [a.value for a in [*data.args, *(k.value for k in data.keywords)] if isinstance(a, ast.Constant) and isinstance(a.value, str)] if isinstance(data, ast.Call) else []
    holders = [t for n in ast.walk(function or file.tree) if isinstance(n, ast.Assign) and n.value is call for t in n.targets]
    names = [t.id if isinstance(t, ast.Name) else t.attr for t in holders if isinstance(t, (ast.Name, ast.Attribute))]
    return any(evaluates(text) for text in [*told, *names])


def _deciding(found: list[Setting]) -> list[Setting]:
    """Numbers and names that a run starts with; parameters' defaults only where nothing else is there."""
    found = [s for s in found if not s.of_part] or [s for s in found if s.kind != "file"]
    found = [s for s in found if not s.of_evaluation] or found
    found = [s for s in found if s.value.strip("\"'") not in ("None", "", "[]", "()", "auto", "null") and not in_tests(s.quote.path)]
    strong = [s for s in found if s.kind not in ("parameter", "document")]
    chosen = strong or [s for s in found if s.kind != "parameter" or trains(s)]
    best: dict[str, int] = {}
    for setting in chosen:
        rank = KINDS.index(setting.kind)
        best[normal(setting.name)] = min(rank, best.get(normal(setting.name), rank))
    return [s for s in chosen if KINDS.index(s.kind) <= max(best[normal(s.name)], KINDS.index("field"))]


def _calls(subject: Subject, prefixes: tuple[str, ...], without: tuple[str, ...] = ()) -> Iterator[tuple[SourceFile, str, ast.Call]]:
    """(file, name, call) of the calls of such APIs, and of project classes that derive from them."""
    aside = {file for file in subject.files if subject.aside(file.relative)}
    for file, use in subject.uses(*prefixes):
        if use.kind == "call" and isinstance(use.node, ast.Call) and file not in aside and not subject.in_self_test(file, use.node):
            yield file, use.name, use.node
    derived = {
        id(node): next(a for a in ancestors if a.startswith(prefixes))
        for known in subject.facts.values() for node, ancestors in known.ancestors.items()
        if any(a.startswith(prefixes) for a in ancestors) and not any(without and a.startswith(without) for a in ancestors)
    }  # fmt: skip
    for file, known in subject.facts.items() if derived else ():
        for inner in ast.walk(file.tree) if file not in aside else ():
            if isinstance(inner, ast.Call) and not subject.in_self_test(file, inner):
                for option in v.options(known.value(inner.func)):
                    if isinstance(option, v.ProjectClass) and id(option.scope.node) in derived:
                        yield file, option.scope.name, inner


def definitions(subject: Subject) -> Iterator[tuple[SourceFile, ast.ClassDef | ast.FunctionDef]]:
    """Every class and function of the project."""
    for file in subject.files:
        for node in ast.walk(file.tree):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                yield file, node


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
