"""I: sparse tensors are followed through names, functions, tuples and modules to the operators that take them."""

from __future__ import annotations

import ast
from pathlib import Path

from mindport import catalog
from mindport.analysis.answers import Section, Snippet, Table
from mindport.analysis.questions import sparsity
from mindport.analysis.subject import Subject
from mindport.inference.project import Project
from mindport.source.discover import discover

LAYERS = """\
import torch
class Layer(torch.nn.Module):
    def forward(self, adj, x):
        return torch.spmm(adj, x) + x
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()
    def forward(self, x, adj):
        return self.layer(adj, x)
"""
TRAIN = """\
import argparse
import scipy.sparse as sp
import torch
from layers import Net
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
def load(edges, values, n):
    adj = sp.eye(n)
    adj = adj + adj.T
    adj = torch.sparse_coo_tensor(edges, values, (n, n)).coalesce()
    return adj, torch.ones(n, 2)
adj, x = load(e, v, 5)
adj = adj.cuda()
net = Net()
solver = torch.optim.SGD(net.parameters(), lr=0.1)
y = net(x, adj)
mean = adj.t() @ x
bad = adj.mean()
"""


def section(root: Path, **files: str) -> tuple[Section, Subject]:
    """I of a project that consists of these files, and its subject."""
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    found = discover([root])
    project = Project(found.files)
    subject = Subject(found.root, {file: project.facts(file) for file in found.files}, project, catalog.load(), (), found.others)
    return sparsity.section(subject), subject


def test_operators_are_found_behind_functions_and_modules(tmp_path: Path) -> None:
    made, subject = section(tmp_path, layers=LAYERS, train=TRAIN)
    table = next(part for part in made.parts if isinstance(part, Table) and part.title == "Operators on sparse tensors")
    places = {row[0]: row[3] for row in table.rows}
    assert places["sparse spmm"] == "layers.py:4" and places["sparse matmul"] == "train.py:17" and places["sparse t"] == "train.py:17"
    assert "sparse add" not in places  # SciPy's matrix of the same name, and a sum of dense tensors
    assert [finding.span.line for finding in subject.findings if finding.code == "MP301"] == [18]


def test_the_plan_for_smaller_batches_has_the_projects_numbers(tmp_path: Path) -> None:
    made, _ = section(tmp_path, layers=LAYERS, train=TRAIN)
    plan = next(part for part in made.parts if isinstance(part, Table) and part.title.startswith("Smaller batches"))
    assert plan.rows[0][:3] == ("32", "2", "32 × 2 = 64") and plan.rows[-1][:2] == ("4", "16") and plan.caption.endswith("train.py:6.")
    code = next(part.code for part in made.parts if isinstance(part, Snippet) and part.title.startswith("One update"))
    assert "solver(total)" in code
    ast.parse(code)


def test_dense_projects_say_nothing(tmp_path: Path) -> None:
    made, subject = section(tmp_path, train="import torch\na = torch.ones(2, 2)\nb = a @ a + a.mean()\n")
    assert [answer.status for answer in made.answers] == ["not found"] and not subject.findings
