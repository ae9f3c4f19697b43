"""Small programs over a few tensors, their views, containers, calls and in-place operations, made by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HEADER = """import torch


def _shift(t: torch.Tensor):
    t.add_(1)
    return t


def _scale(t: torch.Tensor):
    s = t * 2
    s.sub_(1)
    return s


def _row(t: torch.Tensor):
    return t[0]

"""
#: Statements by what they need: {n} a new name, {x} {y} tensors of one shape, {m} a matrix.
_MATRIX_TO_MATRIX = ["{x} + {y}", "{x} * 2", "{x}.clone()", "{x}", "{x}.t().t()", "{x}.view(2, 3)", "_scale({x})", "_shift({x})", "{x}.add_({y})", "{x}.mul_(2).sub_({y})", "{x}.detach()", "{x}.data", "{x}[[1, 0]]", "torch.arange(6.0).view(2, 3)"]
_MATRIX_TO_VECTOR = ["{x}.view(-1)", "{x}.reshape(6)", "{x}.flatten()", "{x}[:, 1:].reshape(-1)", "{x}[0]", "{x}[1]", "_row({x})", "{x}.clone()[0]", "{x}[:, ::2]", "{x}.detach().view(-1)", "{x}.t()[1:]", "{x}.split(1)[1]"]
_CHANGES = [
    "{x}.add_(1)", "{x}.mul_({x})", "{x} += 1", "{x} *= 2", "{x}.clamp_(-2, 2)", "{x}[0] = 3", "{x}[0] += 2", "{x}[{x} > 1] = 0.5",
    "{x}.zero_().add_(2)", "{x}.copy_({x} * 2)", "{x}.fill_(0.5)", "{x}[0].mul_(3)", "torch.add({x}, 1, out={x})", "_shift({x})", "{x} = {x} - 1",
    "{x}.masked_fill_({x} > 2, -1)", "{x}.detach().add_(1)", "{x}.neg_()", "kept[0].add_(1)", "kept.append({x})", "{x} /= 2",
]  # fmt: skip


@st.composite
def programs(draw: Any, name: str = "program") -> str:
    """The text of one function of a and b that returns every variable it made."""
    matrices, vectors = ["a1", "b1"], list[str]()
    lines = ["a1, b1 = a * 1, b * 1", "kept = [b1 * 1]"]
    depth = 0
    for i in range(draw(st.integers(3, 9))):
        kind = draw(st.sampled_from(["matrix", "vector", "change", "change", "change", "branch", "loop", "no_grad"]))
        indent = "    " * depth
        if kind == "matrix" and depth == 0:
            form = draw(st.sampled_from(_MATRIX_TO_MATRIX))
            lines.append(f"m{i} = " + form.format(x=draw(st.sampled_from(matrices)), y=draw(st.sampled_from(matrices))))
            matrices.append(f"m{i}")
        elif kind == "vector" and depth == 0:
            form = draw(st.sampled_from(_MATRIX_TO_VECTOR))
            lines.append(f"v{i} = " + form.format(x=draw(st.sampled_from(matrices))))
            vectors.append(f"v{i}")
        elif kind == "branch":
            lines.append(indent + f"if {draw(st.sampled_from(matrices))}.sum() > {draw(st.integers(-3, 9))}:")
            depth += 1
            lines.append("    " * depth + f"{draw(st.sampled_from(matrices))} = {draw(st.sampled_from(matrices))}")
        elif kind == "no_grad":
            lines.append(indent + "with torch.no_grad():")
            depth += 1
            lines.append("    " * depth + draw(st.sampled_from(_CHANGES)).format(x=draw(st.sampled_from(matrices + vectors))))
        elif kind == "loop":
            lines.append(indent + f"for i{i} in range({draw(st.integers(0, 2))}):")
            depth += 1
            lines.append("    " * depth + draw(st.sampled_from(_CHANGES)).format(x=draw(st.sampled_from(matrices + vectors))))
        else:
            lines.append(indent + draw(st.sampled_from(_CHANGES)).format(x=draw(st.sampled_from(matrices + vectors))))
            if depth and draw(st.booleans()):
                depth -= 1
    body = "\n".join("    " + line for line in lines)
    return f"def {name}(a: torch.Tensor, b: torch.Tensor):\n{body}\n    return {', '.join(matrices + vectors)}, kept[0], kept[-1]\n"


def module(count: int, seed: int) -> str:
    """A file of `count` programs, the same for the same seed."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    found: list[str] = []

    @seeded(seed)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(programs())
    def collect(text: str) -> None:
        found.append(text.replace("def program", f"def program_{len(found)}"))

    collect()
    return HEADER + "\n\n" + "\n\n".join(found[:count])
