"""J: features with code for the project: its own names, numbers and places."""

from __future__ import annotations

import ast
from pathlib import Path

from mindport import catalog
from mindport.analysis.answers import Section, Snippet
from mindport.analysis.questions import features
from mindport.analysis.subject import Subject
from mindport.evidence import store
from mindport.inference.project import Project
from mindport.source.discover import discover

TRAIN = """\
import torch
from torch.cuda.amp import GradScaler, autocast
from torch.utils.tensorboard import SummaryWriter
from net import Critic
critic = Critic()
solver = torch.optim.Adam(critic.parameters(), lr=1e-3)
scaler = GradScaler(init_scale=1024.0)
writer = SummaryWriter("runs")
ROUNDS = 4
for i, x in enumerate(data):
    with autocast():
        loss = critic(x).mean() / ROUNDS
    scaler.scale(loss).backward()
    if (i + 1) % ROUNDS == 0:
        scaler.step(solver)
        scaler.update()
    writer.add_scalar("loss", loss, i)
"""
NET = "import torch\nclass Critic(torch.nn.Module):\n    def forward(self, x):\n        return x * 2\n"


def section(root: Path, **files: str) -> Section:
    """J of a project that consists of these files."""
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    found = discover([root])
    project = Project(found.files)
    known = {file: project.facts(file) for file in found.files}
    return features.section(Subject(found.root, known, project, catalog.load(), (), found.others, evidence=store.load()))


def test_code_is_written_with_the_projects_names_and_numbers(tmp_path: Path) -> None:
    made = section(tmp_path, train=TRAIN, net=NET)
    code = {part.title: part.code for part in made.parts if isinstance(part, Snippet)}
    assert "train.py:5, after: critic = Critic()\ncompiled = ms.jit(critic, fullgraph=True)" in code["Compiling the network"]
    assert "critic = ms.amp.auto_mixed_precision(critic, 'O1')" in code["Mixed precision"]
    assert "scale_value=1024.0, scale_factor=2, scale_window=2000" in code["Mixed precision"]
    assert "writer.add_scalar('loss', float(loss), i)" in code["Summary"]
    assert "every = ROUNDS  # 4" in code["Gradient accumulation"] and "if (i + 1) % every == 0:" in code["Gradient accumulation"]
    assert "    solver(total)" in code["Gradient accumulation"]
    for text in code.values():
        ast.parse(text)
    by_row = {answer.row: answer for answer in made.answers}
    assert by_row["J6"].value == "solver steps once for ROUNDS backward passes"
    assert by_row["J6"].quotes[0].line == 14


def test_a_loop_of_backward_passes_before_one_step_accumulates(tmp_path: Path) -> None:
    train = (
        "def run(build, net, loss_of, rounds, data):\n    optimizer = build(params=net.parameters(), lr=0.1)\n    while True:\n        optimizer.zero_grad()\n"
        "        for _ in range(rounds):\n            loss_of(net, next(data)).backward()\n        optimizer.step()\n"
    )
    made = section(tmp_path, train=train, net=NET)
    assert next(a.value for a in made.answers if a.row == "J6") == "optimizer steps once for rounds backward passes"
    assert next(a.quotes[0].line for a in made.answers if a.row == "J3") == 6


def test_one_step_for_each_backward_pass_accumulates_nothing(tmp_path: Path) -> None:
    train = (
        "def run(optimizer, net, data):\n    for i, x in enumerate(data):\n        loss = net(x)\n        loss.backward()\n        optimizer.step()\n"
        "        if i % 10 == 0:\n            print(loss)\n"
    )
    assert not [a for a in section(tmp_path, train=train, net=NET).answers if a.row == "J6"]


def test_what_raised_under_jit_is_said_with_its_place(tmp_path: Path) -> None:
    net = (
        "import torch\nclass Double(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        a, b = torch.meshgrid(x, x)\n        return Double.apply(a)\n"
    )
    graph = next(a for a in section(tmp_path, net=net).answers if a.row == "J1")
    assert "0 of 1" in graph.value and "torch.autograd.Function" in graph.value
    assert 9 in {quote.line for quote in graph.quotes}


def test_policies_of_augmentation_keep_their_numbers(tmp_path: Path) -> None:
    text = "from torchvision import transforms\nt = transforms.Compose([transforms.RandAugment(3, magnitude=7), transforms.TrivialAugmentWide()])\n"
    code = next(part.code for part in section(tmp_path, data=text).parts if isinstance(part, Snippet))
    assert "vision.RandAugment(num_ops=3, magnitude=7)," in code and "vision.TrivialAugmentWide()," in code
    ast.parse(code)
