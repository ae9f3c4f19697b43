"""Projects that set the random generator back: dropout has to draw the same mask again, which MindSpore's cell does not."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile

KNOWLEDGE = "mindport.layers.replayed_dropout"
SETTING = "DROPOUT_COMES_AGAIN"
#: What goes back to a place in the random numbers.
SETTING_BACK = frozenset(("torch.set_rng_state", "torch.random.set_rng_state", "torch.random.fork_rng"))
#: Goes back where it is called twice.
SEEDS = frozenset(("torch.manual_seed", "torch.random.manual_seed"))
#: Layers that drop.
DROPPING = ("Dropout", "LSTM", "GRU", "RNN", "Transformer")
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have MindSpore's dropout draw by seed, from the files on that set the generator back or make layers that drop."""
    if KNOWLEDGE not in context.shared.catalog.modules or not any(_drops(use.name) for same in uses.values() for use in same):
        return
    if context.once(_sets_back):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _drops(name: str) -> bool:
    return name.startswith("torch.nn.") and name.rpartition(".")[2].startswith(DROPPING)


def _sets_back(project: Files) -> bool:
    return any(_goes_back(file, facts) for file, facts in project)


def _goes_back(file: SourceFile, facts: Facts) -> bool:
    """Whether the file sets a state, or seeds more than once: twice, in a loop, in a forward pass, or by a function that it calls twice."""
    if any(use.name in SETTING_BACK for use in facts.uses):
        return True
    seeding = {id(use.node) for use in facts.uses if use.name in SEEDS}
    return len(seeding) > 1 or bool(seeding) and any(_repeats(file, node, seeding) for node in file.nodes)


def _repeats(file: SourceFile, node: ast.AST, seeding: set[int]) -> bool:
    if not isinstance(node, (*_LOOPS, ast.FunctionDef)) or not any(id(inner) in seeding for inner in ast.walk(node)):
        return False
    if not isinstance(node, ast.FunctionDef) or node.name in ("forward", "backward"):
        return True
    calls = [n for n in file.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == node.name]
    return len(calls) > 1
