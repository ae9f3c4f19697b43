"""J: which MindSpore features this project has a reason for, each with code for it; graph mode first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section, Snippet
from mindport.analysis.feature_code import FeatureCode
from mindport.analysis.graph_apis import GraphApis
from mindport.analysis.graph_syntax import RULES, stops
from mindport.analysis.questions.class_tree import module_classes
from mindport.analysis.recipe.tricks import keyword_given
from mindport.analysis.recipe.vocabulary import PROCESS, Trick
from mindport.analysis.subject import Subject, in_tests
from mindport.analysis.training_places import accumulations, trainings
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.file import SourceFile

LETTER = "J"


@dataclass(frozen=True)
class Feature:
    """A feature, the APIs whose use is a reason for it, and what to write."""

    row: str
    title: str
    zh: str
    apis: tuple[str, ...]
    says: str
    #: Code that needs nothing of the project.
    code: str = ""
    #: The practice whose keywords of trainers are a reason, too: ``Fabric(precision="bf16-mixed")``.
    trick: Trick | None = None
    #: The method of `FeatureCode` that writes it for the project.
    writer: str = ""


FEATURES = (
    Feature("J4", "Mixed precision", "混合精度", ("torch.autocast", "torch.amp.", "torch.cuda.amp.", "apex.amp."), "the project trains in mixed precision: mindspore.amp.auto_mixed_precision, with DynamicLossScaler for float16; on CPU bfloat16 convolutions have no kernel", trick=next(t for t in PROCESS if t.title == "mixed precision"), writer="mixed_precision"),
    Feature("J5", "Automatic augmentation", "自动数据增强", ("torchvision.transforms.AutoAugment", "torchvision.transforms.RandAugment", "torchvision.transforms.TrivialAugmentWide", "torchvision.transforms.AugMix", "torchvision.transforms.v2.AutoAugment", "torchvision.transforms.v2.RandAugment", "torchvision.transforms.v2.TrivialAugmentWide", "timm.data.auto_augment."), "mindspore.dataset.vision has AutoAugment, RandAugment and TrivialAugmentWide; AugMix is absent", writer="augmentation"),
    Feature("J7", "Summary", "训练记录", ("torch.utils.tensorboard.", "tensorboardX.", "tensorboard."), "values are logged for TensorBoard: tensorboardX and tensorboard itself go on working with NumPy values; mindspore.SummaryRecord writes MindSpore's own format, and its viewer MindInsight is retired", writer="summary"),
    Feature("J8", "Debugging", "调试", ("torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly", "torch.profiler.", "torch.autograd.profiler."), "the project debugs or profiles: in PyNative pdb and prints work as they are, mindspore.profiler records operators; MindInsight's debugger is retired", "ms.set_context(pynative_synchronize=True)  # errors at the line that caused them"),
    Feature("J9", "Quantisation and pruning", "量化与剪枝", ("torch.ao.quantization.", "torch.quantization.", "torch.nn.utils.prune.", "torch.nn.quantized.", "torch.ao.nn.", "bitsandbytes.nn.", "transformers.BitsAndBytesConfig", "transformers.GPTQConfig", "auto_gptq."), "quantisation or pruning: the package mindspore-gs (Golden Stick); its releases are tied to MindSpore versions (1.4.1 asks for 2.7)"),
    Feature("J10", "Parallel training", "并行训练", ("torch.nn.parallel.DistributedDataParallel", "torch.distributed.", "torch.nn.DataParallel", "deepspeed.", "horovod.", "accelerate."), "several devices: start the script with msrun, initialise communication, and average gradients", writer="parallel"),
)  # fmt: skip


def section(subject: Subject) -> Section:
    """J1 and J2: graph or PyNative mode; J3: functional gradients; then each feature with a reason."""
    parts: list[Snippet] = []
    code = FeatureCode(subject, trainings(subject), subject.follower)
    answers = [*_graph(subject), *_functional(subject), *_accumulation(subject, code, parts)]
    if any(a.row == "J1" and a.status == "found" for a in answers) and (compiled := code.compiled()):
        parts.insert(0, Snippet("Compiling the network", "python", compiled))
    for feature in FEATURES:
        places = [(file, use) for file, use in subject.uses(*feature.apis) if use.kind not in ("type", "check") and not in_tests(file.relative)]
        asked = [
            (file, use) for file, use in subject.uses() if feature.trick is not None and use.kind == "call" and not in_tests(file.relative)
            and keyword_given(feature.trick, use, subject.follower, file)
        ]  # fmt: skip
        quotes = tuple(subject.quote(file, use.node) for file, use in [*places, *asked])
        if not quotes:
            continue
        answers.append(Answer(feature.row, feature.title, "found", feature.says, quotes, zh=feature.zh))
        if text := feature.code or (getattr(code, feature.writer)(places) if feature.writer else ""):
            parts.append(Snippet(feature.title, "python", text))
    return Section(LETTER, "Features to use", "推荐特性", tuple(answers), tuple(parts))


def _graph(subject: Subject) -> Iterator[Answer]:
    """Everything that a forward pass reaches, against the rules of graph syntax."""
    classes = list(module_classes(subject))
    if not classes:
        yield Answer("J1", "Graph or PyNative mode", "not found", "no network is defined here", zh="图模式或动态图模式")
        return
    stopped: set[str] = set()
    quotes: list[Quote] = []
    said: dict[str, int] = {}
    apis, uncompiled = GraphApis(subject), dict[str, int]()
    for file, node, _ in classes:
        for place, function, is_method in _reached(subject, file, node):
            for name, at in apis.stops(place, function):
                stopped.add(f"{file.relative}:{node.name}")
                quote = subject.quote(place, at)
                if quote not in quotes:
                    quotes.append(quote)
                    uncompiled[name] = uncompiled.get(name, 0) + 1
                    subject.report("MP501", place, at, f"{name} raised under ms.jit when it was measured; keep it outside of the compiled part")
            for stop in stops(function, is_method):
                quote = subject.quote(place, stop.node)
                stopped.add(f"{file.relative}:{node.name}")
                if quote not in quotes:
                    quotes.append(quote)
                    said[stop.rule] = said.get(stop.rule, 0) + 1
                    what, instead = RULES[stop.rule]
                    subject.report("MP501", place, stop.node, f"{what}; {instead}")
    ready = len(classes) - len(stopped)
    share = f"{ready} of {len(classes)} network classes ({100 * ready // len(classes)} %) reach no statement that ms.jit refuses"
    if not quotes:
        yield Answer("J1", "Graph or PyNative mode", "found", f"{share}: develop in PyNative, then compile with compiled = ms.jit(net, fullgraph=True), and call that", tuple(subject.quote(f, n) for f, n, _ in classes[:3]), "ms.jit gives a function: parameters and checkpoints stay with the network itself. Without fullgraph=True, Python that no graph holds has gradients of zero, silently. Compiled graphs keep weights that set_data replaces later: load checkpoints before the first call.", "图模式或动态图模式")
    else:
        rules = ", ".join(f"{RULES[rule][0]} ({count})" for rule, count in sorted(said.items(), key=lambda item: -item[1]))
        rules = ", ".join([rules] * bool(rules) + [f"{name} raises there ({count})" for name, count in uncompiled.items()])
        yield Answer("J1", "Graph or PyNative mode", "found", f"{share}; {rules}", tuple(quotes), "Stay in PyNative for these, rewrite the places, or compile with ms.jit(capture_mode='bytecode').", "图模式或动态图模式")
    plain = _plain_classes(subject, classes)
    if plain:
        version = tuple(int(part) for part in subject.mindspore.split(".")[:2])
        name = "jit_class" if version >= (2, 0) else "ms_class"
        yield Answer("J2", "Classes that graph mode meets", "found", f"objects of {', '.join(sorted(plain))} are used in a forward pass: decorate the class with @ms.{name}", tuple(plain.values()), zh="图模式中的自定义类")


def _reached(
    subject: Subject, file: SourceFile, node: ast.ClassDef
) -> Iterator[tuple[SourceFile, ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """The functions and methods that the class's forward pass runs: its own, and the project's that they call."""
    waiting: list[tuple[SourceFile, ast.FunctionDef | ast.AsyncFunctionDef, bool]] = [
        (file, method, True) for method in node.body if isinstance(method, ast.FunctionDef) and method.name == "forward"
    ]
    seen: set[int] = set()
    while waiting:
        place, function, is_method = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        yield place, function, is_method
        facts = subject.facts[place]
        for call in ast.walk(function):
            if not isinstance(call, ast.Call):
                continue
            for option in v.options(facts.value(call.func)):
                inner = option.function if isinstance(option, v.Bound) else option
                if isinstance(inner, v.ProjectFunction) and isinstance(found := inner.scope.node, ast.FunctionDef):
                    waiting.append((inner.scope.module.file, found, isinstance(option, v.Bound) or _is_method(inner.scope)))


def _is_method(scope: FunctionScope) -> bool:
    return scope.cls is not None and scope.kind == "method"


def _plain_classes(subject: Subject, classes: Sequence[tuple[SourceFile, ast.ClassDef, Facts]]) -> dict[str, Quote]:
    """Classes that are no modules and whose objects a forward pass makes."""
    found: dict[str, Quote] = {}
    for file, node, _ in classes:
        for place, function, _is in _reached(subject, file, node):
            facts = subject.facts[place]
            for call in ast.walk(function):
                if isinstance(call, ast.Call):
                    for option in v.options(facts.value(call)):
                        if isinstance(option, v.ProjectInstance) and not option.cls.scope.ancestors and isinstance(facts.value(call.func), v.ProjectClass):
                            found.setdefault(option.cls.scope.name, subject.quote(place, call))
    return found


def _functional(subject: Subject) -> Iterator[Answer]:
    """J3: backward() becomes a function that MindSpore differentiates."""
    known = {id(use.node): (file, use.node) for file, use in subject.uses(*BACKWARD) if not in_tests(file.relative)}
    for file in subject.files:
        for node in file.nodes if not in_tests(file.relative) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == torch_names.BACKWARD_METHOD and isinstance(
                subject.facts[file].value(node.func), v.Unknown
            ):
                known.setdefault(id(node), (file, node))  # of a loss whose type is not known
    quotes = tuple(subject.quote(file, node) for file, node in known.values())
    if quotes:
        yield Answer("J3", "Functional gradients", "found", f"backward() is called at {len(quotes)} {'place' if len(quotes) == 1 else 'places'}: mindport convert writes each as a function for ms.value_and_grad, or says what stands in the way (MP401)", quotes, zh="函数式自动微分")


def _accumulation(subject: Subject, code: FeatureCode, parts: list[Snippet]) -> Iterator[Answer]:
    """J6: updates that do not follow every backward pass."""
    found = list(accumulations(subject))
    libraries = [subject.quote(file, use.node) for file, use in subject.uses(*ACCUMULATING) if use.kind == "call"]
    if not found and not libraries:
        return
    value = "; ".join(dict.fromkeys(f"{a.optimizer} steps once for {a.every} backward passes" for a in found)) or "a library accumulates gradients over steps"
    quotes = (*(subject.quote(a.file, a.place) for a in found), *(subject.quote(a.file, a.step) for a in found), *libraries)
    yield Answer("J6", "Gradient accumulation", "found", value, tuple(dict.fromkeys(quotes)), "mindport convert keeps the loop as it is: gradients are added up where backward stood.", "梯度累积")
    parts += [Snippet("Gradient accumulation", "python", code.accumulation(a)) for a in found[:1]]


#: Libraries that accumulate gradients by a setting.
ACCUMULATING = ("accelerate.Accelerator",)
#: Calls that fill gradients in place.
BACKWARD = ("torch.Tensor.backward", "torch.autograd.backward")
