"""Lists of parameters in attributes of modules: parameters of one name may stand in them, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

_HEAD = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, *parts):\n        super().__init__()\n"
_TAIL = """

net = Net(nn.Linear(2, 3), nn.Linear(3, 1))
print(sorted(name for name, _ in net.named_parameters()), sorted(net.state_dict()), [tuple(p.shape) for p in net.kept])
for p in net.parameters():
    nn.init.constant_(p, 0.5)
optimizer = torch.optim.SGD(net.kept, lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net.second(net.first(torch.ones(4, 2))).sum().backward()
    optimizer.step()
print([round(float(p.sum()), 4) for p in net.kept], [round(float(p.sum()), 4) for p in net.parameters()])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(
    "lines",
    [
        ["self.kept = [parts[0].weight, parts[1].weight]", "self.first, self.second = parts"],
        ["self.kept = []", "for part in parts:", "    self.kept += list(part.parameters())", "self.first, self.second = parts"],
        ["self.kept = tuple(p for part in parts for p in part.parameters())", "self.first, self.second = parts"],
        ["first, second = parts", "self.kept: list = [*first.parameters(), *second.parameters()]", "self.first, self.second = first, second"],
    ],
)
def test_parameters_of_one_name(tmp_path: Path, lines: list[str]) -> None:
    expected, actual = printed_by_both(tmp_path, _HEAD + "".join(f"        {line}\n" for line in lines) + _TAIL)
    assert actual == expected


@pytest.mark.parametrize("line", ["self.kept = list(self.first.parameters())", "self.kept = [nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(3))]", "self.kept = list(parts)", "self.kept = [p for p in self.parameters() if p.ndim > 1]"])
def test_names_of_their_own(tmp_path: Path, line: str) -> None:
    assert "LISTS_OF_PARAMETERS" not in converted_script(tmp_path, _HEAD + f"        self.first = parts[0]\n        {line}\n")
