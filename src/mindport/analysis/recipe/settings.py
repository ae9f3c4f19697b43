"""What a project can be set to: command lines, configuration classes and files, defaults of parameters.

A setting is a name with a constant at a place. Nothing is run: the constants are those that stand in the text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.subject import Subject, in_tests
from mindport.inference import values as v
from mindport.source.defaults import parameters_and_defaults
from mindport.source.file import SourceFile

#: From what decides a run to what only may: where several settings have one name, the first kind wins.
KINDS = ("file", "script", "argument", "field", "attribute", "entry", "constant", "parameter", "document")
Kind = Literal["file", "script", "argument", "field", "attribute", "entry", "constant", "parameter", "document"]

OWNERS = ("trainer", "Trainer")
_TRAINS = re.compile(r"[Tt]rain|learner|fit$")
#: Longer values are cut in a row; the place shows the rest.
MOST_SHOWN = 60
#: ``flags.DEFINE_float("lr", 2e-4, "help")`` of absl.
_FLAG = re.compile(r"DEFINE_(?!alias|validator)\w+")
#: What holds the command line's answers, and an option that shortens a run to try it out.
_NAMESPACE = re.compile(r"args|opts?|options|flags|hparams|params|cfg|conf(ig)?")
_TRIED = re.compile(r"debug|smoke|dry_?run|fast_dev|quick|profil|tiny|toy")
#: What a help text begins with that names a quantity of training.
_TOLD = {"batch": r"((the|total|training|train|mini-?|input|global) )*(mini-?)?batch[- ]?size\b", "epochs": r"((the|total|maximum|max\.?) )*(number of (total |training |train |local )?(epochs|iterations|training steps|steps to train|(env(ironment)? )?(frames|time ?-?steps|steps) (of|for|to) train(ing)?)|(training )?epochs\b)", "rate": r"((the|initial|base|peak) )*learning[- ]rate\b(?! (decay|sched|polic|warm))"}
#: What a help text says anywhere: of the learning rate's warm-up, of steps over several batches, of negatives that are chosen for being hard.
_SAID = {"warm-up": r"warm[- ]?up.*(learning[- ]rate|\blr\b)|(learning[- ]rate|\blr\b).*warm[- ]?up", "accumulation": r"(update|step)s?\b.*\b(weights|parameters|optimi[sz]er|model)?\b.*\bevery\b.*\bbatch|accumulat\w*.*\b(gradient|batch|step|iteration)|(gradient|batch|iteration|backward)\w* .*\baccumulat", "mining": r"hard[- ](negative|example)"}
#: What the help text of an option begins with that only evaluation reads.
_MEASURES = re.compile(r"((the|total) )*(test(ing)?|valid(ation)?|eval(uation)?|inference) (batch|mini|epoch|step)")
_ROLLOUT = re.compile(r"roll-?out|in each env|per env|forward steps")
#: A warm-up of something else than the learning rate: ``help="warm-up epochs for semi-supervision"``.
_WARMS = re.compile(r"warm(?!.*\b(lr|learning|rate|optimi[sz]er|sched))(?=.*\b(semi|supervis|loss|adversar|discriminat|gan|kl\b|beta|annealing of|replay|random|explor|prun|spars|quanti|ema\b|temperature|pseudo|consistency|distill|ramp))")
_FACTOR = re.compile(r"multiplicative|multiplier|factor (applied|of|for)|\bscale of\b")
#: ``parser.set_defaults(lr=0.002)``, which one model of several asks for.
_DEFAULTS = "set_defaults"
_OPTION_MAKERS = ("add_argument", "option", "add_option", "argument")
#: Calls that make a configuration from keywords: ``HParams(lr=1e-3, …)``, ``edict(…)``, ``TrainConfig(…)``.
_CONFIGURATION_MAKERS = re.compile(r"(.*_)?(hparams?|hyper_?params?|config(uration)?|cfg|cn|cfg_node|namespace|munch|bunch|attr_?dict|edict|easy_?dict|dot_?dict|dict|options|settings|args|training_arguments)")


@dataclass(frozen=True)
class Setting:
    """A name, its constant as text, and the place. `owner`: the class, function or file it belongs to."""

    name: str
    value: str
    kind: Kind
    owner: str
    quote: Quote
    #: It stands beside the code of a network that nothing there trains: a vocoder's configuration in the folder of a vocoder.
    of_part: bool = False
    #: It stands among what evaluation, sampling or a demonstration is told.
    of_evaluation: bool = False
    #: The quantity that its help text begins with: ``help="batch size (number of random rays)"``.
    tells: str = ""
    #: A file that trains holds it.
    at_training: bool = False
    #: The section of a configuration file that it stands in.
    under: str = ""
    #: The program that a script gives it to.
    program: str = ""
    #: A program holds it that is called like a test.
    of_program: bool = False
    #: It is put over the default that an option has elsewhere.
    over: bool = False

    @property
    def short(self) -> str:
        """The value as a row shows it."""
        return self.value if len(self.value) <= MOST_SHOWN else self.value[: MOST_SHOWN - 1] + "…"


def trains(setting: Setting) -> bool:
    """Whether a parameter's default is one of training: what any other function can be given is no choice of a run."""
    return bool(_TRAINS.search(setting.owner))


def normal(name: str) -> str:
    """The form under which names are compared: ``--batch-size``, ``batchSize`` and ``BATCH_SIZE`` are one."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip("-"))
    return name.replace("-", "_").replace(".", "_").lower().strip("_")


class Settings:
    """All settings of a project, by name."""

    def __init__(self, subject: Subject) -> None:
        self._by_name: dict[str, list[Setting]] = {}
        from mindport.analysis.recipe.merged_defaults import of_files_that_leave_them
        from mindport.analysis.recipe.setting_files import of_files  # it makes settings, too

        for setting in [*_of_python(subject), *of_files(subject)]:
            if subject.aside(setting.quote.path) and not in_tests(setting.quote.path):
                continue  # what an evaluation kit trains its probes with
            self._by_name.setdefault(normal(setting.name), []).append(setting)
        of_files_that_leave_them(subject, self._by_name)
        for found in self._by_name.values():
            found.sort(key=lambda s: (KINDS.index(s.kind), _aside(s.quote.path), s.quote.path, s.quote.line))

    def named(self, name: str) -> list[Setting]:
        """Settings of this name, those that decide a run first; tests and examples last."""
        return self._by_name.get(normal(name), [])

    def under(self, section: str) -> list[Setting]:
        """What configuration files hold in sections of this name."""
        return [setting for _, found in sorted(self._by_name.items()) for setting in found if setting.kind == "file" and setting.under == section]

    def telling(self, quantity: str) -> list[Setting]:
        """Settings whose help text names the quantity: batch, epochs, rate."""
        return [setting for _, found in sorted(self._by_name.items()) for setting in found if setting.tells == quantity]

    def matching(self, pattern: str) -> list[Setting]:
        """Settings whose normal name matches the whole pattern."""
        wanted = re.compile(pattern)
        return [setting for name, found in sorted(self._by_name.items()) if wanted.fullmatch(name) for setting in found]


def _aside(path: str) -> bool:
    return bool(re.search(r"(^|/)(tests?|examples?|docs?|demo)/|(^|/)test_", path))


def constant_text(node: ast.expr | None) -> str | None:
    """The text of an expression that is made of constants alone; None for any other."""
    if node is None:
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1 and isinstance(whole := node.args[0], ast.Constant) and isinstance(whole.value, (int, float)):
        return str(int(whole.value))  # int(50e6)
    for inner in ast.walk(node):
        if not isinstance(
            inner,
            (ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.Tuple, ast.List, ast.expr_context),
        ):
            return None
    return ast.unparse(node)


def _of_python(subject: Subject) -> Iterator[Setting]:
    for file in subject.files:
        yield from _Reader(subject, file).read()


#: The owner of what a Python file assigns that does nothing else: ``Config.fromfile("configs/culane.py")`` reads such files.
CONFIGURATION = "configuration"


def _configures(tree: ast.Module) -> bool:
    assigned = [statement for statement in tree.body if isinstance(statement, (ast.Assign, ast.AnnAssign))]
    others = [s for s in tree.body if s not in assigned and not isinstance(s, (ast.Import, ast.ImportFrom, ast.Delete)) and not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return len(assigned) >= 3 and not others


class _Reader:
    """The settings that one file's text makes."""

    def __init__(self, subject: Subject, file: SourceFile) -> None:
        self.subject, self.file = subject, file
        self._computed: dict[ast.AST, set[str]] = {}

    def read(self) -> Iterator[Setting]:
        yield from self._block(self.file.tree, CONFIGURATION if _configures(self.file.tree) else "", "constant")

    def _counts(self, node: ast.AST, name: str) -> bool:
        """Whether a name is computed or counted where it is set: a variable, and no choice of anybody."""
        scope = self.subject.function_around(self.file, node) or self.file.tree
        if scope not in self._computed:
            self._computed[scope] = {
                target.id for inner in ast.walk(scope) for target in _targets(inner)
                if isinstance(target, ast.Name) and (isinstance(inner, (ast.AugAssign, ast.For)) or constant_text(getattr(inner, "value", None)) is None)
            }  # fmt: skip
        return name in self._computed[scope]

    def _block(self, node: ast.AST, owner: str, kind: Kind) -> Iterator[Setting]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                yield from self._block(child, child.name, "field")
                continue
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from self._defaults(child, owner)
                yield from self._block(child, owner or child.name, "attribute")
                continue
            if isinstance(child, ast.If) and _TRIED.search(ast.unparse(child.test).lower()):
                continue
            if isinstance(child, (ast.Assign, ast.AnnAssign)):
                yield from self._assignment(child, owner, kind)
            elif isinstance(child, ast.Call):
                yield from self._call(child, owner)
            elif isinstance(child, ast.Dict):
                yield from self._dictionary(child, owner)
            yield from self._block(child, owner, kind)

    def _made(self, name: str, value: ast.expr | None, kind: Kind, owner: str, place: ast.AST, under: str = "") -> Iterator[Setting]:
        text = constant_text(value)
        if text is not None and not self.subject.in_self_test(self.file, place):
            aside = file_evaluates(str(self.file.relative)) or evaluates(under) or kind in ("parameter", "field") and (evaluates(owner) or evaluates(owner.rpartition(".")[2])) or (self.subject.programs.trains_nothing if kind == "argument" else self.subject.programs.apart)(self.file)
            if not aside and kind in ("entry", "constant", "attribute"):
                around = self.subject.function_around(self.file, place)
                aside = around is not None and evaluates(around.name)
            yield Setting(name, text, kind, owner, self.subject.quote(self.file, place), of_evaluation=aside, at_training=self.subject.programs.trains(self.file), of_program=str(self.file.relative) in self.subject.called_tests)

    def _assignment(self, node: ast.Assign | ast.AnnAssign, owner: str, kind: Kind) -> Iterator[Setting]:
        value = node.value
        if isinstance(value, ast.Call) and _callee(value) in ("field", "Field"):
            value = next((k.value for k in value.keywords if k.arg == "default"), value.args[0] if value.args else None)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name) and kind == "attribute" and self._counts(node, target.id):
                continue
            if isinstance(target, ast.Name) and kind == "constant" and isinstance(value, ast.BinOp) and constant_text(value) is None:
                folded = [o.value for o in v.options(self.subject.facts[self.file].value(value)) if isinstance(o, v.Const) and isinstance(o.value, (int, float))]
                value = ast.copy_location(ast.Constant(folded[0]), value) if len(folded) == 1 else value  # max_iters = 50000 * 3 // micro_batch_size
            if isinstance(target, ast.Name):
                yield from self._made(target.id, value, "constant" if kind == "attribute" else kind, owner, node)
            elif isinstance(target, ast.Attribute):
                receiver = ast.unparse(target.value).rpartition(".")[2]
                if kind != "field" and _NAMESPACE.fullmatch(receiver.lower()):
                    yield from self._chosen(target.attr, value, node)  # args.lr = 1e-3 of a template decides as the command line does
                else:
                    yield from self._made(target.attr, value, "attribute", owner, node, receiver)
            elif isinstance(target, ast.Subscript) and isinstance(key := target.slice, ast.Constant):
                yield from self._made(str(key.value), value, "entry", owner, node)

    def _chosen(self, name: str, value: ast.expr | None, place: ast.AST) -> Iterator[Setting]:
        if isinstance(value, ast.Name):
            constant = self.subject.facts[self.file].value(value)
            texts = [repr(o.value) for o in v.options(constant) if isinstance(o, v.Const)]
            value = ast.parse(" if _ else ".join(texts), mode="eval").body if texts and len(texts) == len(v.options(constant)) else value
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        for part in parts:
            yield from self._made(name, part, "argument", "command line", place)

    def _defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> Iterator[Setting]:
        for argument, default in parameters_and_defaults(node.args):
            if default is not None:
                yield from self._made(argument.arg, default, "parameter", f"{owner}.{node.name}".strip("."), argument)

    def _call(self, node: ast.Call, owner: str) -> Iterator[Setting]:
        name = _callee(node)
        keywords = {k.arg: k.value for k in node.keywords if k.arg}
        if name in _OPTION_MAKERS:
            options = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if options:
                named = keywords.get("dest")
                dest = str(named.value) if isinstance(named, ast.Constant) else next((o for o in options if o.startswith("--")), options[0]).lstrip("-")
                default = keywords.get("default")
                action = keywords.get("action")
                if default is None and isinstance(action, ast.Constant) and action.value in ("store_true", "store_false"):
                    default = ast.Constant(action.value == "store_false")
                told = keywords.get("help")
                text = " ".join(str(n.value) for n in ast.walk(told) if isinstance(n, ast.Constant)).strip().lower() if isinstance(told, (ast.Constant, ast.BinOp)) else ""
                quantity = next((q for q, said in _TOLD.items() if re.match(said, text)), "rollout" if _ROLLOUT.search(text) else "factor" if _FACTOR.search(text) else "warming something else" if _WARMS.search(text) else next((q for q, said in _SAID.items() if re.search(said, text)), ""))
                measures = bool(_MEASURES.match(text))
                yield from (replace(made, tells=quantity, of_evaluation=made.of_evaluation or measures) for made in self._made(dest, default, "argument", "command line", node))
        elif name == _DEFAULTS:
            for key, value in keywords.items():
                yield from (replace(made, over=True) for made in self._made(str(key), value, "argument", "command line", value))
        elif _FLAG.fullmatch(name) and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            default = keywords.get("default") or (node.args[1] if len(node.args) > 1 else None)
            yield from self._made(node.args[0].value, default, "argument", "command line", node)
        elif _CONFIGURATION_MAKERS.fullmatch(normal(name)):
            for key, value in keywords.items():
                yield from self._made(str(key), value, "entry", owner, value)

    def _dictionary(self, node: ast.Dict, owner: str) -> Iterator[Setting]:
        if any(isinstance(key, ast.Constant) and key.value == "params" for key in node.keys):
            return  # a group of an optimizer: it sets nothing elsewhere
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from self._made(key.value, value, "entry", owner, value)


def _targets(node: ast.AST) -> list[ast.expr]:
    """What a statement binds."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)) else []


def _callee(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
