"""Two things of one name in the vendored module: a distribution and the initializer that embeddings use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

DISTRIBUTION = "def likelihood(x):\n    return Normal(x, 1.0).log_prob(x)\n"
LAYER = "class Table(nn.Embedding):\n    pass\n"


@pytest.mark.parametrize("body", [DISTRIBUTION + LAYER, LAYER + DISTRIBUTION])
def test_no_definition_hides_an_import(tmp_path: Path, body: str) -> None:
    (tmp_path / "program.py").write_text(f"from torch import nn\nfrom torch.distributions import Normal\n\n{body}", encoding="utf-8")
    vendored = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "torch_equivalents.py")
    tree = ast.parse(vendored)
    imported = [a.asname or a.name for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom)) for a in s.names]
    defined = [s.name for s in tree.body if isinstance(s, (ast.ClassDef, ast.FunctionDef))]
    assert len(set(imported + defined)) == len(imported + defined)
    table = next(ast.unparse(s) for s in tree.body if isinstance(s, ast.ClassDef) and s.name == "Embedding")
    initializer = next(a.asname or a.name for s in tree.body if isinstance(s, ast.ImportFrom) for a in s.names if a.name == "Normal")
    assert f"embedding_table={initializer}(1.0)" in table
