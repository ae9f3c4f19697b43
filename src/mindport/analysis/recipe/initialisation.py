"""How parameters get their first values: initialisers, methods that set them, and writes into parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.by_name import chosen
from mindport.analysis.recipe.calls import takes_part
from mindport.analysis.recipe.evaluation import file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Subject, imports
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name
from mindport.source.file import SourceFile

_OWN = re.compile(r"_?(init(ialize|ialise)?|reset)_(\w+_)?(weights?|parameters?|params|bias(es)?|embeddings?)(_.*)?|weights?_init(_.*)?|xavier(_init)?|kaiming_init|init_normal|normal_init|init_yolo|zero_(module|init(ialised|ialized)?(_.*)?|out)")
_OF_A_LOSS = re.compile(r"(^|_)(loss(es)?|criterion|perceptual|lpips|fid|inception|metrics?)(_|$)")
_WRITES = frozenset(("normal_", "uniform_", "fill_", "zero_", "trunc_normal_", "xavier_uniform_", "kaiming_normal_", "kaiming_uniform_"))
#: What a setting is called that names weights of an earlier training.
_PRETRAINED = re.compile(r"(^|_)pre_?train(ed|ing)?(_|$)")
_PARAMETER = re.compile(r"(^|\.)(weight|bias)(\.data|\.detach\(\))?$")


def constructed(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(what, place) of parameters whose first values are made where they are constructed: ``nn.Parameter(torch.randn(n))``."""
    made = re.compile(words.DRAWS)
    for file, use in subject.uses(*words.PARAMETERS):
        if use.kind != "call" or not isinstance(use.node, ast.Call) or not use.node.args or subject.aside(file.relative) or subject.in_self_test(file, use.node):
            continue
        for inner in _first_values(use.node.args[0]):
            if isinstance(inner.func, ast.Attribute) and made.fullmatch(inner.func.attr):
                yield f"Parameter({inner.func.attr})", subject.quote(file, use.node)
                break


def _first_values(node: ast.expr) -> Iterator[ast.Call]:
    """The calls that give an expression its numbers: those of arithmetic and of chains of methods, not what another function is given (``initializer(torch.empty(n))``)."""
    if isinstance(node, ast.Call):
        yield node
        if isinstance(node.func, ast.Attribute):
            yield from _first_values(node.func.value)
    elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Subscript)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _first_values(child)


def told_to_networks(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(what, place) of first values that a library's network is asked for: ``resnet50(zero_init_residual=True)``."""
    for file, use in subject.uses(*words.ZOOS):
        if isinstance(use.node, ast.Call) and not subject.aside(file.relative) and not subject.programs.apart(file):
            for keyword in use.node.keywords:
                if keyword.arg and "init" in keyword.arg.split("_") and isinstance(keyword.value, ast.Constant) and keyword.value.value not in (None, False):
                    yield f"{keyword.arg}={ast.unparse(keyword.value)}", subject.quote(file, use.node)


def own_initialisation(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(what, place) of functions of the project that set first values, and of writes into weights and biases."""
    for file in subject.files:
        if subject.aside(file.relative):
            continue
        parameters = _parameters(subject.facts[file], file)
        for node in file.nodes:
            if not takes_part(subject, file, node):
                continue
            if isinstance(node, ast.FunctionDef) and (_fills_entries(node) or _OWN.fullmatch(normal(node.name) if not node.name.startswith("_") else node.name.lower())):
                if not _copies(node):
                    yield node.name, subject.quote(file, node)
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Mult, ast.Div)) and _PARAMETER.search(written := ast.unparse(node.target)) and written.endswith(".data"):
                yield f"{written.split('.')[-2]} scaled", subject.quote(file, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy_" and (table := _filled_table(subject, file, node)):
                yield table, subject.quote(file, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _WRITES:
                receiver = ast.unparse(node.func.value)
                own = receiver.removesuffix(".data").removesuffix(".detach()")
                if own in parameters and not _PARAMETER.search(receiver) and receiver != own:
                    yield f"{own.rpartition('.')[2]}.{node.func.attr}({', '.join(ast.unparse(a) for a in node.args)})", subject.quote(file, node)
                elif (parameter := _PARAMETER.search(receiver)) and "grad" not in receiver and not subject.in_self_test(file, node):
                    yield f"{parameter[2]}.{node.func.attr}({', '.join(ast.unparse(a) for a in node.args)})", subject.quote(file, node)


def _filled_table(subject: Subject, file: SourceFile, call: ast.Call) -> str:
    """``emb.weight copied`` of ``model.emb.weight.data.copy_(vectors)``: an embedding gets vectors that were trained elsewhere; nothing of copies between networks."""
    assert isinstance(call.func, ast.Attribute)
    receiver = ast.unparse(call.func.value)
    around = subject.function_around(file, call)
    table = re.search(r"(\w*emb\w*\.weight)(\.data)?$", receiver, re.IGNORECASE)
    given = " ".join(ast.unparse(a) for a in call.args)
    return (
        f"{table[1]} copied"
        if table
        and not re.search(r"\.weight|target|teacher|ema\b|copy", given + receiver.replace(table[1], ""))
        and not (around is not None and around.name in ("forward", "step"))
        else ""
    )


def _parameters(facts: Facts, file: SourceFile) -> frozenset[str]:
    """Places that a file stores parameters of its own in: ``self.embedding = nn.Parameter(…)``."""
    made = (n for n in file.nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and isinstance(n.targets[0], ast.Attribute))
    return frozenset(ast.unparse(n.targets[0]) for n in made if any(isinstance(o, v.Api) and o.name in words.PARAMETERS for o in v.options(facts.value(n.value.func))))  # type: ignore[attr-defined]


def _fills_entries(function: ast.FunctionDef) -> bool:
    """Whether a function writes the weight of a layer that it is given entry by entry: ``w = up.weight.data``, then ``w[0, 0, i, j] = …``."""
    given = {a.arg for a in function.args.args}
    held = {n.targets[0].id for n in ast.walk(function) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and re.fullmatch(r"(\w+)\.weight\.data", text := ast.unparse(n.value)) and text.partition(".")[0] in given}
    return bool(held) and any(isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id in held for n in ast.walk(function))


def filled_by_functions(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(what, place) of weights that a function of the project fills: ``truncated_normal(self.conv.weight.data)``."""
    for file, facts in subject.facts.items():
        for node in file.nodes if not subject.aside(file.relative) else ():
            if isinstance(node, ast.Call) and node.args and _PARAMETER.search(given := ast.unparse(node.args[0])) and "grad" not in given:
                meant = [o.scope.node for o in v.options(facts.value(node.func)) if isinstance(o, v.ProjectFunction)]
                if any(isinstance(f, ast.FunctionDef) and not _OWN.fullmatch(f.name.lower()) and _fills(f) for f in meant):
                    yield ast.unparse(node.func).rpartition(".")[2], subject.quote(file, node)


def _fills(function: ast.FunctionDef) -> bool:
    """Whether a function writes numbers of its own into what it is given first."""
    first = next((a.arg for a in [*function.args.posonlyargs, *function.args.args] if a.arg != "self"), "")
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in (*_WRITES, "copy_") and ast.unparse(n.func.value).removesuffix(".data") == first
        for n in ast.walk(function)
    )  # fmt: skip


def _copies(node: ast.FunctionDef) -> bool:
    """Whether a function loads weights that another network has: an average is begun anew."""
    return any(isinstance(n, ast.Attribute) and n.attr == "load_state_dict" for n in ast.walk(node))


def _trains(known: Facts) -> bool:
    return any(use.name.startswith((*torch_names.TRAINING, *words.TRAINERS)) for use in known.uses)


def _hands_to_training(subject: Subject, file: SourceFile) -> bool:
    """Whether a program imports files that train: ``train.py`` makes the network that ``trainers.py`` trains."""
    stems = {other.relative.stem for other, known in subject.facts.items() if other is not file and _trains(known)}
    named = {name.rpartition(".")[2] for name in imports(file)}
    return not file_evaluates(str(file.relative)) and bool(stems & named)


def pretrained(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(what, place) of networks that start from trained weights, in the files that train."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative) or not (_trains(known) or _hands_to_training(subject, file) or subject.programs.of_a_training(file)):
            continue
        for use in known.uses:
            if measures(file, use.node) or not takes_part(subject, file, use.node):
                continue
            cls = use.name.removesuffix(words.PRETRAINED)
            if use.kind in ("call", "method") and cls != use.name and not cls.endswith(words.NO_NETWORK):
                yield f"pretrained: {cls.rpartition('.')[2]}.from_pretrained", subject.quote(file, use.node)
        for node in file.nodes:  # of one of several classes: (GPT2 if short else OpenAIGPT).from_pretrained
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "." + node.func.attr == words.PRETRAINED and not isinstance(value := known.value(node.func.value), v.Api):
                kinds = [o.name for o in v.options(value) if isinstance(o, v.Api) and not o.name.endswith(words.NO_NETWORK)]
                if kinds and not any(use.node is node for use in known.uses):
                    yield f"pretrained: {' or '.join(dict.fromkeys(k.rpartition('.')[2] for k in kinds))}.from_pretrained", subject.quote(file, node)


def built_trained(subject: Subject, follower: Follower) -> Iterator[tuple[str, Quote]]:
    """(what, place) of networks that a builder of the project makes with trained weights: ``builders[name](pretrained=True)`` where a function of that argument loads them."""
    builders = _builders(subject)
    for file in subject.files if builders else ():
        for node in file.nodes if not subject.aside(file.relative) and not subject.programs.apart(file) else ():
            asked = next((k.value for k in node.keywords if k.arg in words.ASKED_FOR), None) if isinstance(node, ast.Call) else None
            if not isinstance(node, ast.Call) or asked is None or measures(file, node) or isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
                continue
            around = subject.function_around(file, node)
            name = last_name(node.func)
            if around is not None and around.name in builders or not (name in builders or isinstance(node.func, ast.Subscript)):
                continue  # a builder that hands it on, or another library's
            text = follower.follow(file, asked).text
            if text not in ("False", "None", "''"):
                yield f"pretrained: {name or ast.unparse(node.func)}({text})", subject.quote(file, node)


def _builders(subject: Subject) -> frozenset[str]:
    """Names of functions and classes of the project that are asked for trained weights and load a state, or give the question on to one that does."""
    asked = [
        (n, n.name if n.name != "__init__" else next((c.name for c in file.nodes if isinstance(c, ast.ClassDef) and n in c.body), ""))
        for file in subject.files for n in file.nodes if isinstance(n, ast.FunctionDef) and any(a.arg in words.ASKED_FOR for a in [*n.args.args, *n.args.kwonlyargs])
    ]  # fmt: skip
    found = {name for function, name in asked if any(isinstance(n, ast.Attribute) and n.attr == "load_state_dict" for n in ast.walk(function))}
    for _ in range(2):
        found |= {name for function, name in asked if any(isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] in found for n in ast.walk(function))}
    return frozenset(found - {""})


def loaded_before(subject: Subject, follower: Follower) -> Iterator[tuple[str, Quote]]:
    """(what, place) of trained weights that a setting names and training loads: ``torch.load(opt.pretrain_path)`` where that has a default."""
    for file, use in subject.uses(torch_names.LOAD):
        if use.kind != "call" or not isinstance(use.node, ast.Call) or not use.node.args or subject.aside(file.relative) or subject.programs.apart(file):
            continue
        place = use.node.args[0]
        name = place.attr if isinstance(place, ast.Attribute) else str(place.slice.value) if isinstance(place, ast.Subscript) and isinstance(place.slice, ast.Constant) else ""
        if _PRETRAINED.search(normal(name)):
            followed = follower.follow(file, place)
            if followed.known and re.fullmatch(r"'[^']+'", followed.text):
                yield f"pretrained: {name}={followed.text}", subject.quote(file, use.node)


def measures(file: SourceFile, node: ast.AST) -> bool:
    """Whether a network stands in a loss or a measure: VGG's features are compared, they are no start of the trained network."""
    around = [n.name for n in file.nodes if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.lineno <= getattr(node, "lineno", 0) <= (n.end_lineno or 0)]
    return any(_OF_A_LOSS.search(normal(name)) for name in [*around, *file.relative.with_suffix("").parts])


def untrained(subject: Subject, file: SourceFile, node: ast.AST) -> bool:
    """Whether a network that a name is given reaches no optimizer of the same function or script, although one is made there: its features are compared."""
    scope = subject.function_around(file, node) or file.tree
    statements = [n for n in ast.walk(scope) if isinstance(n, ast.Assign)]
    held = {ast.unparse(t) for n in statements if any(inner is node for inner in ast.walk(n.value)) for t in n.targets}
    facts = subject.facts[file]
    made = [n for n in ast.walk(scope) if isinstance(n, ast.Call) and any(isinstance(o, v.Api) and o.name.startswith(words.OPTIMIZERS) and not o.name.startswith(words.SCHEDULERS) for o in v.options(facts.value(n.func)))]
    if not held or not made:
        return False
    trained = {name for call in made for a in [*call.args, *(k.value for k in call.keywords)] for name in _places(a)}
    handed = [(ast.unparse(n.func.value), n) for n in ast.walk(scope) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and (n.args or n.keywords) and not isinstance(facts.value(n.func.value), v.Api)]
    for _ in range(4):
        held |= {ast.unparse(t) for n in statements if held & _places(n.value) for t in n.targets}
        held |= {receiver for receiver, n in handed if any(held & _places(a) for a in [*n.args, *(k.value for k in n.keywords)])}  # model.add_module("encoder", encoder)
        trained |= {name for n in statements if any(ast.unparse(t) in trained for t in n.targets) for name in _places(n.value)}
    return bool(trained) and not held & trained


def _places(node: ast.AST) -> set[str]:
    """Texts of the names and attributes in an expression."""
    return {ast.unparse(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))}


def _of_zoos_by_name(subject: Subject, follower: Follower) -> Iterator[tuple[SourceFile, str, ast.Call]]:
    """(file, what is chosen, call) of networks of a library that a text chooses: ``getattr(torchvision.models, arch)(True)``."""
    for file, facts in subject.facts.items():
        if subject.aside(file.relative) or subject.programs.apart(file):
            continue
        for node in file.nodes:
            taken = chosen(node.func) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and taken is not None and any(isinstance(o, v.Api) and o.name + "." in words.ZOOS for o in v.options(facts.value(taken[0]))) and not measures(file, node):
                yield file, re.sub(r"[\"']", "", follower.follow(file, taken[1]).text), node


def trained_before(subject: Subject, follower: Follower) -> Iterator[tuple[str, Quote]]:
    """(what, place) of networks that a library makes with trained weights: ``resnet50(pretrained=True)``, ``vgg16(weights="DEFAULT")``."""
    found: dict[str, list[tuple[str, Quote]]] = {}
    for file, use in subject.uses(*words.ZOOS):
        if use.kind != "call" or not isinstance(use.node, ast.Call) or subject.aside(file.relative) or subject.programs.apart(file) or measures(file, use.node) or untrained(subject, file, use.node):
            continue
        asked = [k.value for k in use.node.keywords if k.arg in words.ASKED_FOR]
        if not asked and use.name.startswith(words.ZOOS[0]) and use.name.rpartition(".")[2].islower():
            asked = use.node.args[:1]
        for node in asked:
            text = follower.follow(file, node).text
            if text not in ("False", "None"):
                found.setdefault(text, []).append((use.name.rpartition(".")[2], subject.quote(file, use.node)))
    for file, name, call in _of_zoos_by_name(subject, follower):
        asked = [k.value for k in call.keywords if k.arg in words.ASKED_FOR] or call.args[:1]
        for text in [follower.follow(file, node).text for node in asked]:
            if text not in ("False", "None"):
                found.setdefault(text, []).append((name, subject.quote(file, call)))
    for text, made in found.items():
        names = list(dict.fromkeys(name for name, _ in made))
        yield f"pretrained: {names[0]}({text})" + (f" and {len(names) - 1} more" if len(names) > 1 else ""), made[0][1]
