"""Lightning, Hugging Face's Trainer and Accelerate run the training step themselves: refused, with what each step holds.

They call backward inside their own source, on PyTorch tensors. The module's other code is converted all the same.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.context import Context
from mindport.inference.facts import Use


@dataclass(frozen=True)
class Framework:
    """A library's class, by the last part of its name, and who calls what."""

    libraries: tuple[str, ...]
    names: tuple[str, ...]
    why: str


_LOOP = "`for batch in loader: optimizer.zero_grad(); loss = …; loss.backward(); optimizer.step()`"
_FRAMEWORKS = (
    Framework(
        ("pytorch_lightning", "lightning"), ("LightningModule", "LightningDataModule"),
        f"Lightning calls its steps, backward and the optimizers itself; derive from torch.nn.Module, write the loop ({_LOOP}) and convert again",
    ),
    Framework(
        ("pytorch_lightning", "lightning"), ("Trainer", "Fabric"),
        f"Lightning's Trainer runs the training step on PyTorch tensors; write the loop ({_LOOP}) and convert again",
    ),
    Framework(
        ("transformers", "trl", "peft"), ("Trainer", "Seq2SeqTrainer", "SFTTrainer", "DPOTrainer"),
        f"the Trainer computes the loss, calls backward and steps inside transformers; write the loop ({_LOOP}) with its compute_loss and convert again",
    ),
    Framework(
        ("accelerate",), ("Accelerator",),
        "Accelerate wraps model, optimizer and backward; use the model as it is, `loss.backward()` for `accelerator.backward(loss)`, and convert again",
    ),
    Framework(("deepspeed",), ("initialize",), f"DeepSpeed's engine holds backward and step; write the loop ({_LOOP}) and convert again"),
)  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report each class and trainer once, with the lines of its steps."""
    for same_place in uses.values():
        use = same_place[0]
        framework = _framework(use.name)
        if framework is None or use.kind not in ("base", "call"):
            continue
        context.claimed.add(id(use.node))
        owner = context.parents.get(id(use.node)) if use.kind == "base" else None
        steps = _steps(context, owner) if isinstance(owner, ast.ClassDef) else ""
        context.report("MP402", f"{use.name}: {framework.why}{steps}", use.node, api=use.name, certainty=use.certainty, mark=True)
        context.record(use, "unconverted", context.file.segment(use.node), "", None, framework.why)


def _framework(name: str) -> Framework | None:
    library, last = name.split(".")[0], name.rpartition(".")[2]
    return next((f for f in _FRAMEWORKS if library in f.libraries and last in f.names), None)


def _steps(context: Context, cls: ast.ClassDef) -> str:
    """Where the class says what a step computes: methods and the losses that they return."""
    parts = []
    for method in cls.body:
        if isinstance(method, ast.FunctionDef) and method.name in ("training_step", "configure_optimizers", "compute_loss"):
            returned = [ast.unparse(n.value) for n in ast.walk(method) if isinstance(n, ast.Return) and n.value is not None]
            line = context.file.span(method).line
            short = " or ".join(text for text in returned if len(text) <= 60)
            parts.append(f"{method.name} (line {line})" + (f" gives `{short}`" if short else ""))
    manual = any(isinstance(n, ast.Attribute) and n.attr == "manual_backward" for n in ast.walk(cls))
    if manual:
        parts.append("its own calls of manual_backward stand for loss.backward()")
    return f". Here {', '.join(parts)}" if parts else ""
