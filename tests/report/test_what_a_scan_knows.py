"""A scan says what a conversion does: forms of an API, what hands its argument back; an analysis says which programs a blocker stops."""

from __future__ import annotations

from pathlib import Path

from mindport.report.analysis import analyze
from mindport.report.scan import scan
from mindport.source.discover import discover


def test_a_number_first_is_no_undecided_overload(tmp_path: Path) -> None:
    (tmp_path / "step.py").write_text("import torch\ndef step(p: torch.Tensor, g: torch.Tensor):\n    p.add_(0.5, g)\n    return torch.add(p, 0.5, g), p.add(1, 2, 3)\n")
    found = [(row.api, row.code) for row in scan(discover([tmp_path])).rows]
    assert ("torch.Tensor.add_", None) in found and ("torch.add", None) in found
    assert ("torch.Tensor.add", "MP106") in found  # no order explains it


def test_what_hands_its_argument_back_needs_no_run(tmp_path: Path) -> None:
    (tmp_path / "move.py").write_text("import torch\nx = torch.ones(3).cuda()\nnet = torch.nn.Linear(3, 3).cuda()\ny = torch.zeros(3).to(x.device)\nprint(x.device)\ntorch.cuda.synchronize()\n")
    rows = scan(discover([tmp_path])).rows
    assert [(row.api, row.line) for row in rows if row.code] == [("torch.Tensor.device", 5), ("torch.cuda.synchronize", 6)]


def test_a_gradient_by_inputs_is_judged(tmp_path: Path) -> None:
    """Parents of nodes were asked for by index before anybody had asked for them by name."""
    (tmp_path / "attack.py").write_text("import torch\nclass Attack:\n    def forward(self, images, labels):\n        images = images.clone().detach()\n        images.requires_grad = True\n        cost = torch.nn.CrossEntropyLoss()(self.model(images), labels)\n        return torch.autograd.grad(cost, images)[0]\n")
    assert "torch.autograd.grad" in [row.api for row in scan(discover([tmp_path])).rows]


def test_a_member_that_a_text_chooses_blocks_only_where_no_text_names_one(tmp_path: Path) -> None:
    """Conversion writes a namespace of what the texts name; a scan called the module missing."""
    (tmp_path / "net.py").write_text("import torch\nimport torch.nn as nn\ndef pick(name='GELU'):\n    return getattr(nn, name)()\ndef other(name):\n    return getattr(torch.fft, name)\n")
    made = scan(discover([tmp_path]))
    assert [(row.api, row.code, row.risk) for row in made.rows if row.code] == [("torch.nn", "MP103", "loud"), ("torch.fft", "MP101", "blocker")]
    assert "offers GELU" in next(row.message for row in made.rows if row.code == "MP103")


TRAIN = "import torch\nfrom torch.nn.functional import mse_loss\nnet = torch.nn.Linear(3, 3)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nmse_loss(net(torch.ones(1, 3)), torch.ones(1, 3)).backward()\noptimizer.step()\n"
SHOW = "import torch\nfrom detectron2.engine import DefaultPredictor\ndef main():\n    print(DefaultPredictor(torch.ones(3)))\nif __name__ == '__main__':\n    main()\n"


def test_a_program_that_training_does_not_need_blocks_itself_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "show.py").write_text(SHOW)
    made = analyze(discover([tmp_path]))
    assert made.verdict.answer == "GO WITH WORK" and made.report.totals.by_risk["blocker"]
    assert made.verdict.why[1] == "Blocked: only show.py, which training does not need."
    assert scan(discover([tmp_path])).answer == "GO WITH WORK"


def test_what_training_imports_blocks_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("from show import main\n" + TRAIN + "main()\n")
    (tmp_path / "show.py").write_text(SHOW)
    assert analyze(discover([tmp_path])).verdict.answer == "BLOCKED"
    (tmp_path / "train.py").unlink()
    assert analyze(discover([tmp_path])).verdict.answer == "BLOCKED"  # nothing else is there


def test_a_script_of_evaluation_with_options_of_its_own_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "test_images.py").write_text("import argparse\nimport torch\nimport lpips\np = argparse.ArgumentParser()\nargs = p.parse_args()\nprint(lpips.LPIPS(net='alex')(torch.ones(3), torch.ones(3)))\n")
    made = analyze(discover([tmp_path]))
    assert made.verdict.answer == "GO WITH WORK" and "only test_images.py" in made.verdict.why[1]


def test_a_form_that_a_call_shows_is_chosen_then(tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text("import torch\nmake = torch.arange\ndef spread(sizes):\n    return torch.arange(*sizes), make(3)\n")
    assert not [row for row in scan(discover([tmp_path])).rows if row.code]


def test_a_blocker_that_no_run_asks_for(tmp_path: Path) -> None:
    """Apex behind ``--amp`` and a rare optimizer of a factory blocked whole projects."""
    options = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--amp', action='store_true')\nargs = p.parse_args()\n"
    (tmp_path / "train.py").write_text(options + "from apex import amp\n" + TRAIN + "if args.amp:\n    net = amp.initialize(net)\n")
    for made in (scan(discover([tmp_path])), analyze(discover([tmp_path])).report):
        assert made.answer == "GO WITH WORK" and made.reasons[0] == "blocked: only where somebody asks for it (amp=False): train.py:13"
    assert analyze(discover([tmp_path])).verdict.why[1] == "Blocked: only where somebody asks for it (amp=False): train.py:13."
    (tmp_path / "run.sh").write_text("python train.py --amp\n")
    assert scan(discover([tmp_path])).answer == "BLOCKED"


def test_a_derivative_of_each_turn_is_told_in_the_users_lines(tmp_path: Path) -> None:
    """A loop stands in its place before it is judged; lines are counted and quoted as the user wrote them."""
    line = "    return sum(grad(u[:, i].sum(), x.held, create_graph=True)[0] for i in range(3))"
    (tmp_path / "trace.py").write_text(f"from torch.autograd import grad\ndef trace(u, x):\n{line}\n")
    made = scan(discover([tmp_path]))
    told = next(row for row in made.rows if row.api == "torch.autograd.grad" and row.kind == "call")
    assert (told.line, told.text) == (3, line.strip()) and made.totals.source_lines == 3
