"""Facts made by hand for report tests: dotted names at their face value, through the file's imports."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport import catalog
from mindport.analysis.api import assess
from mindport.catalog import Entry
from mindport.findings import Finding
from mindport.inference import values as v
from mindport.inference.facts import Facts, Unresolved, Use
from mindport.report.judge import judge_unknown_with, judge_with
from mindport.report.model import Project, Report
from mindport.report.scan import report
from mindport.source.file import Cell, SourceFile
from mindport.targets import load

#: A use of everything that a report shows differently.
NETWORK = '''\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset


def scaled(x):
    return torch.sigmoid(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        x = F.relu(scaled(x), inplace=True)
        y = torch.no_such_function(x)
        return x.view(-1), y.mystery()


class Pictures(Dataset):
    def __getitem__(self, index):
        return torch.flatten(self.pictures[index])
'''


def facts(file: SourceFile, certain: bool = True) -> Facts:
    """Uses by dotted name; ``x.view`` is a tensor's method, every other method is unresolved."""
    known = Facts()
    origins: dict[str, str] = {}
    functions = {n.name: n for n in file.tree.body if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                origins[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    _scope(file.tree, "", known, origins, functions, "certain" if certain else "likely")
    return known


def _scope(node: ast.AST, scope: str, known: Facts, origins: dict[str, str], functions: Mapping[str, ast.FunctionDef], certainty) -> None:  # type: ignore[no-untyped-def]
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            inner = f"{scope}.{child.name}" if scope else child.name
        if isinstance(child, ast.ClassDef):
            bases = [name for base in child.bases if (name := _dotted(base, origins))]
            known.ancestors[child] = tuple(bases)
            known.uses += [Use(base, name, "base", certainty, scope) for base in child.bases if (name := _dotted(base, origins))]
        if isinstance(child, ast.Call):
            name = _dotted(child.func, origins)
            if name:
                known.uses.append(Use(child, name, "call", certainty, scope))
            elif isinstance(child.func, ast.Attribute) and child.func.attr == "view":
                known.uses.append(Use(child, "torch.Tensor.view", "method", certainty, scope))
            elif isinstance(child.func, ast.Attribute) and child.func.attr in ("mystery", "reshape"):
                text = f".{child.func.attr}"
                known.unresolved.append(Unresolved(child, text, (f"torch.Tensor{text}",), "the receiver is unknown", scope))
            elif isinstance(child.func, ast.Name) and child.func.id in functions:
                target = type("Scope", (), {"node": functions[child.func.id]})()
                known.values[id(child.func)] = v.ProjectFunction(target)
        _scope(child, inner, known, origins, functions, certainty)


def _dotted(node: ast.expr, origins: dict[str, str]) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name) and origins.get(node.id, "").startswith("torch"):
        return ".".join([origins[node.id], *reversed(parts)])
    return None


def made(
    sources: Mapping[str, str], findings: list[Finding] | None = None, status: str = "verified", certain: bool = True,
    cells: tuple[Cell, ...] = (),
) -> Report:  # fmt: skip
    """The report on files that exist in memory only."""
    files = [SourceFile.of(text, path) for path, text in sources.items()]
    for file in files:
        file.cells = cells

    def evidence(entry: Entry) -> str:
        return status

    about = Project("sample", ["."], "2.10.0", "cpu", "0.1.0", len(catalog.load().entries))
    known = {f: facts(f, certain) for f in files}
    return report(about, known, assess(known, judge_with(catalog.load()), evidence, judge_unknown_with(catalog.load(), load())), findings or [])
