"""Programs that hypothesis makes from the catalog's own names: whatever a call looks like, the
converted program parses, keeps its comments, and is not changed by a second conversion."""

from __future__ import annotations

import ast
import io
import tempfile
import tokenize
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindport import catalog
from mindport.convert import convert
from mindport.source.discover import discover

_ENTRIES = [e for e in catalog.load().entries if e.arguments is not None]
_FUNCTIONS = sorted({(e.name, _i) for _i, e in enumerate(_ENTRIES) if not e.name.startswith(("torch.Tensor.", "torch.nn.Module."))})
_METHODS = sorted({n.rpartition(".")[2] for e in _ENTRIES for n in e.names if n.startswith("torch.Tensor.")})

_ATOMS = st.sampled_from(["x", "y", "n", "None", "1", "-1", "0.5", "True", "'mean'", "(1, 2)", "[2, 3]", "x.shape", "x[0]", "n + 1", "self.k", "g(x)", "lambda t: t", "...", "torch.float32", "*xs", "x if n else y", "not n", "b'z'", "1_000", "[t for t in xs]"])


@st.composite
def _calls(draw: st.DrawFn, depth: int = 2) -> str:
    argument = st.one_of(_ATOMS, _calls(depth - 1)) if depth else _ATOMS
    count = draw(st.integers(0, 4))
    args = draw(st.lists(argument, min_size=count, max_size=count))
    keywords: list[str] = []
    if draw(st.booleans()) or not _METHODS:
        name, index = draw(st.sampled_from(_FUNCTIONS))
        arguments = _ENTRIES[index].arguments
        assert arguments is not None
        names = [a.arg for a in (*arguments.args, *arguments.kwonlyargs)] + ["unknown"]
        for keyword in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
            keywords.append(f"{keyword}={draw(argument).lstrip('*')}")
        callee = name
    else:
        receiver = draw(st.sampled_from(["x", "torch.relu(x)", "(x + y)", "x[0]", "f(x)"]))
        callee = f"{receiver}.{draw(st.sampled_from(_METHODS))}"
    if draw(st.integers(0, 9)) == 0:
        keywords.append("**options")
    separator = draw(st.sampled_from([", ", ",  # a comment\n        ", ",\n        "]))
    inside = separator.join([*args, *keywords])
    return f"{callee}({inside})"


_STATEMENTS = st.sampled_from([
    "z = {}", "return {}", "{}", "for i in {}:\n        pass", "while {}:\n        break", "if {}:\n        y = 1\n    elif n:\n        pass",
    "z = [{} for k in xs]", "z = lambda: {}", "z = x and {}", "with {} as c:\n        pass", "assert {}", "z = -{} ** 2", "z = ({}).foo[0]",
    "del z; {}", "z: int = {}", "z += {}", "x[{}] = y", "print(f'{{n}}', {})", "raise ValueError({})", "z = {{'k': {}}}", "@f\n    def inner(q={}):\n        return q",
    "try:\n        {}\n    except ValueError:\n        pass", "z = not {}", "z = {} if n else x", "z = (yield {})", "class K:\n        k = {}",
])  # fmt: skip


@given(st.lists(st.tuples(_STATEMENTS, _calls()), min_size=1, max_size=4))
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_converts_to_a_program_that_parses(parts: list[tuple[str, str]]) -> None:
    body = "\n    ".join(template.format(call) for template, call in parts)
    text = f"import torch\nfrom torch import nn\n\n\ndef f(self, x: torch.Tensor, y: torch.Tensor, n, xs, g, options):  # first\n    z = x\n    {body}\n"
    try:
        ast.parse(text)
    except SyntaxError:
        return  # e.g. a starred argument in a place that takes none
    once = _converted(text)
    ast.parse(once)
    assert set(_comments(text)) <= set(_comments(once))
    assert _converted(once) == once


def _converted(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(text, encoding="utf-8")
        conversion = convert(discover(folder))
        return next(t for p, t in conversion.files.items() if p.name == "program.py")


def _comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [t.string for t in tokens if t.type == tokenize.COMMENT and not t.string.startswith("# mindport:")]
