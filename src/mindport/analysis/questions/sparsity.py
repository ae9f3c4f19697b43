"""I: what is sparse, in which format, what each operator becomes, and what it costs to go without."""

from __future__ import annotations

import ast

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section, Snippet, Table
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.sparse_flow import SparseFlow
from mindport.analysis.sparse_support import FORMATS, MAKERS, ON_SPARSE, OPERATORS, PRODUCT, SPARSE_GRADIENTS
from mindport.analysis.subject import Subject, in_tests
from mindport.analysis.training_places import trainings
from mindport.inference import values as v

LETTER = "I"
_TITLE, _ZH = "Sparsity", "稀疏"


def section(subject: Subject) -> Section:
    """I1 and I2: sparse tensors and their formats; I3: operators; I4 and I5: the dense way and its memory."""
    formats: dict[str, list[Quote]] = {}
    operators: dict[str, list[Quote]] = {}
    gradients: list[Quote] = []
    for file, use in subject.uses():
        if use.kind in ("type", "check"):
            continue
        quote = None
        if kind := MAKERS.get(use.name):
            quote = subject.quote(file, use.node)
            formats.setdefault(kind, []).append(quote)
            if kind not in ("coo", "csr"):
                subject.report("MP302", file, use.node, f"{use.name} makes the format {kind.upper()}: {FORMATS[kind][1]}")
        if isinstance(use.node, ast.Call):
            for api, keyword in SPARSE_GRADIENTS:
                given = next((k.value for k in use.node.keywords if k.arg == keyword), None)
                if use.name == api and given is not None and subject.facts[file].value(given) != v.Const.of(False):
                    gradients.append(subject.quote(file, use.node))
    if formats:  # `values`, `indices` and their like mean something sparse only where something is
        for file, use in subject.uses():
            if use.name in OPERATORS:
                operators.setdefault(use.name, []).append(subject.quote(file, use.node))
                if OPERATORS[use.name][1] != "runs":
                    subject.report("MP301", file, use.node, f"{use.name} on a sparse tensor: {OPERATORS[use.name][0]}")
        for name, file, node in SparseFlow(subject).operations():
            if name in ON_SPARSE:
                operators.setdefault(f"sparse {name}", []).append(subject.quote(file, node))
                if ON_SPARSE[name][1] != "runs":
                    subject.report("MP301", file, node, f"{name} with a sparse tensor: {ON_SPARSE[name][0]}")
        for file, use in subject.uses(*torch_names.SPARSE_PRODUCTS):  # by its name, where no sparse tensor was followed to it
            name, place = use.name.rpartition(".")[2], subject.quote(file, use.node)
            if place not in operators.get(f"sparse {name}", []):
                operators.setdefault(f"sparse {name}", []).append(place)
    else:
        for file, use in subject.uses(*torch_names.SPARSE):
            if use.name in OPERATORS:
                operators.setdefault(use.name, []).append(subject.quote(file, use.node))
    if not formats and not operators and not gradients:
        return Section(LETTER, _TITLE, _ZH, (Answer("I1", "Sparse tensors", "not found", "none are made", zh="稀疏张量"),))
    quotes = tuple(q for found in formats.values() for q in found)
    answers = [
        Answer("I1", "Sparse tensors", "found" if quotes else "not found", ", ".join(f"{k.upper()} ×{len(q)}" for k, q in formats.items()) or "none are made here; operators on them are used", quotes, zh="稀疏张量"),
        Answer("I2", "Formats", "found" if quotes else "not found", "; ".join(f"{k.upper()}: {FORMATS[k][0]}, {FORMATS[k][1]}" for k in formats), quotes, zh="稀疏格式"),
    ]  # fmt: skip
    parts: list[Table | Snippet] = []
    if operators:
        support = OPERATORS | {f"sparse {name}": known for name, known in ON_SPARSE.items()}
        rows = tuple((name, support[name][0], support[name][1], f"{found[0].path}:{found[0].line}") for name, found in sorted(operators.items()))
        parts.append(Table("Operators on sparse tensors", ("API", "in MindSpore", "CPU, 2.10.0", "first place"), rows))
        failing = [name for name in operators if support[name][1] != "runs"]
        answers.append(Answer("I3", "Operators", "found", f"{len(operators) - len(failing)} of {len(operators)} have a sparse counterpart" + (f"; to be computed dense: {', '.join(failing)}" if failing else ""), tuple(q for found in operators.values() for q in found[:2]), zh="稀疏算子"))
    if gradients:
        answers.append(Answer("I3", "Sparse gradients", "found", "gradients of embeddings are asked for as sparse tensors; MindSpore's are dense: the same numbers, more memory, and optimizers that update every row, but for SparseAdam", tuple(gradients), "SparseAdam and lazy updates skip rows without a gradient; a dense optimizer does not.", "稀疏梯度"))
    if quotes:
        answers.append(
            Answer(
                "I4", "The dense way", "found", "a dense tensor takes 1/density of the memory of the values: at density d and float32, "
                "rows × columns × 4 bytes instead of about nnz × 20 bytes (COO with int64 indices) or nnz × 12 bytes (CSR)",
                quotes[:3], "At 1 % density dense takes about 5 times the memory of COO; at 0.01 %, 500 times.", "稠密替代",
            )
        )  # fmt: skip
        answers.append(_smaller_batches(subject, quotes[:1], parts))
        parts.append(Snippet("A sparse product that runs where CSR kernels are missing", "python", PRODUCT))
    return Section(LETTER, _TITLE, _ZH, tuple(answers), tuple(parts))


def _smaller_batches(subject: Subject, quotes: tuple[Quote, ...], parts: list[Table | Snippet]) -> Answer:
    """I5: the project's own batch size, halved and halved again, with the steps that make up for it."""
    chosen = [s for s in subject.settings.matching(words.BATCH) if s.value.isdigit() and int(s.value) > 1 and not s.of_evaluation and not in_tests(s.quote.path)]
    said = "where the dense form does not fit, lower the batch size and accumulate gradients over (reference batch ÷ new batch) steps"
    if chosen:
        batch = int(chosen[0].value)
        rows = tuple((str(batch // n), str(n), f"{batch // n} × {n} = {batch // n * n}", f"1/{n} of the memory of activations") for n in (2, 4, 8, 16) if batch % n == 0)
        if rows:
            parts.append(Table("Smaller batches with the same update", ("batch", "steps", "samples of an update", "memory"), rows, f"The reference batch is {batch}: {chosen[0].quote.path}:{chosen[0].quote.line}."))
            said += f"; the reference batch is {batch}: {rows[0][0]} with {rows[0][1]} steps, down to {rows[-1][0]} with {rows[-1][1]}"
            quotes = (chosen[0].quote, *quotes)
    optimizer = next((t.optimizer for t in trainings(subject) if t.optimizer), "optimizer")
    parts.append(Snippet("One update over several steps", "python", ACCUMULATION.replace("optimizer", optimizer)))
    return Answer("I5", "Batch size and accumulation", "found", said, quotes, "The converted loop accumulates as the original does; with a fixed number of steps per update the numbers stay those of the large batch, batch normalisation aside.", "批大小与梯度累积")


#: Mean losses are divided by the number of steps.
ACCUMULATION = """\
gradients_of = ms.value_and_grad(forward, None, optimizer.parameters)  # forward(batch) gives the mean loss
total = None
for number, batch in enumerate(loader, 1):
    loss, gradients = gradients_of(batch)
    gradients = tuple(g / steps for g in gradients)
    total = gradients if total is None else tuple(a + b for a, b in zip(total, gradients))
    if number % steps == 0:
        optimizer(total)
        total = None"""
