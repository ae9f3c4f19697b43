"""Members of vendored classes' objects keep their text; what such a class has not is reported."""

from __future__ import annotations

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
loader = DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=2)
{line}
"""


@pytest.mark.parametrize("line", [
    "optimizer.step()",
    "optimizer.zero_grad(set_to_none=True)",
    "scheduler.step()",
    "print(scheduler.get_last_lr(), scheduler.last_epoch)",
    "saved = optimizer.state_dict()",
    "for group in optimizer.param_groups: group['lr'] = 0.5",
    "print(len(loader.dataset), loader.batch_size)",
])  # fmt: skip
def test_what_the_vendored_class_has_itself_stays(tmp_path, line):
    text, findings = _convert(tmp_path, line)
    assert text.splitlines()[-1] == line
    assert not [f for f in findings if f.code in ("MP101", "MP106")]


@pytest.mark.parametrize(("line", "code"), [
    ("optimizer.zero_grad(nothing=True)", "MP106"),
    ("optimizer.register_state_dict_post_hook(print)", "MP101"),
])  # fmt: skip
def test_what_it_has_not_is_reported(tmp_path, line, code):
    text, findings = _convert(tmp_path, line)
    assert text.splitlines()[-1] == line
    assert text.splitlines()[-2].startswith(f"# mindport: {code}")
    assert code in [f.code for f in findings]


def _convert(tmp_path, line):
    (tmp_path / "script.py").write_text(SCRIPT.format(line=line))
    conversion = convert(discover([tmp_path / "script.py"]))
    return next(text for name, text in conversion.files.items() if name.name == "script.py"), conversion.findings
