"""NumPy's numbers and arrays beside tensors: as operands, indices and arguments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors, printed_by_both

HEAD = "import numpy as np\nimport torch\nimport torch.nn as nn\nn = int(input())\nu = eval(input())\nx = torch.ones(4, 3)\na = np.arange(2)\n"


def _converted(folder: Path, text: str) -> dict[str, str]:
    (folder / "script.py").write_text(text, encoding="utf-8")
    return {path.name: text for path, text in convert(discover(folder)).files.items()}


@pytest.mark.parametrize(("line", "expected"), [
    ("y = x[a]", "y = x[as_index(a)]"),
    ("y = x[:, a[0]]", "y = x[:, as_index(a[0])]"),
    ("y = x[a[0]:a[1]]", "y = x[int(a[0]):int(a[1])]"),
    ("y = x[tuple(a)]", "y = x[as_index(tuple(a))]"),
    ("x[a] = 0.0", "x[as_index(a)] = 0.0"),
    ("y = x[u]", "y = x[as_index(u)]"),
    ("y = x[~u]", "y = x[as_index(~u)]"),
    ("y = x[n]", "y = x[n]"),
    ("y = x[:, None]", "y = x[:, None]"),
    ("y = x[:, np.newaxis]", "y = x[:, np.newaxis]"),
    ("y = x[torch.tensor([0])]", "y = x[ms.tensor([0])]"),
    ("y = a[u]", "y = a[u]"),
    ("y = np.sqrt(x)", "y = Tensor(np.sqrt(x))"),
    ("x[:, 0::2] = np.sin(x[:, 0::2])", "x[:, 0::2] = Tensor(np.sin(every(x, 1, 2)))"),
    ("y = np.cumsum(np.log(x), axis=0)", "y = Tensor(np.cumsum(Tensor(np.log(x)), axis=0))"),
    ("y = np.argmax(x, axis=1)", "y = Tensor(np.argmax(x, axis=1))"),
    ("y = np.sort(x)", "y = np.sort(x)"),
    ("y = np.sqrt(a)", "y = np.sqrt(a)"),
    ("y = np.sqrt(u)", "y = np.sqrt(u)"),
    ("y = x == a", "y = x == as_operand(a)"),
    ("y = x != np.float32(1)", "y = x != as_operand(np.float32(1))"),
    ("y = x * np.sqrt(2)", "y = x * np.sqrt(2)"),
    ("y = np.sqrt(2) - x", "y = np.sqrt(2) - x"),
    ("y = x * np.float32(2)", "y = x * np.float32(2)"),
    ("y = x[0] + np.arange(3)", "y = x[0] + as_operand(np.arange(3))"),
    ("y = x * np.array(2.0)", "y = x * as_operand(np.array(2.0))"),
    ("y = x * (1 - np.ones(3))", "y = x * as_operand(1 - np.ones(3))"),
    ("y = x - np.ones(3)", "y = x - as_operand(np.ones(3))"),
    ("y = nn.Linear(np.prod((2, 3)), 2)", "y = nn.Dense(int(np.prod((2, 3))), 2)"),
    ("y = nn.Linear(int(np.prod((2, 3))), 2)", "y = nn.Dense(int(np.prod((2, 3))), 2)"),
    ("y = torch.chunk(x, a[1])", "y = ops.chunk(x, int(a[1]))"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert _converted(tmp_path, f"{HEAD}{line}\n")["script.py"].endswith(expected + "\n")


def test_indices_of_layers_that_are_not_known_stay(tmp_path: Path) -> None:
    text = "import numpy as np\nimport torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x, i):\n        y = torch.relu(x)\n        return y[i]\n"
    assert "return y[i]" in _converted(tmp_path, text)["script.py"]


def test_the_setting_is_imported_where_nothing_else_is(tmp_path: Path) -> None:
    """NumPy gives way to tensors when torch_equivalents is imported: some file has to import it."""
    files = _converted(tmp_path, "import numpy as np\nimport torch\n\n\ndef scaled(x: torch.Tensor):\n    return np.sqrt(2.0) * x\n")
    assert "from torch_equivalents import NUMPY_GIVES_WAY" in files["script.py"]
    assert "__array_priority__" in files["torch_equivalents.py"]


PROGRAM = """import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def loss(x):
    scale = 1 / np.sqrt(x.shape[0])
    total = np.float32(1)
    total += (scale * x).sum()
    return total + (np.log(3.0) - x).sum() + (np.exp(1) ** x).sum() + (np.float64(2) / x).sum()


def gradient(x):
    x = torch.tensor(x, requires_grad=True)
    return torch.autograd.grad(loss(x), x)[0]


def scaled(x, factors):
    return [factor * x for factor in factors]


def indexed(array):
    x = torch.from_numpy(array)
    perm = np.array([2, 0, 1])
    rows, columns = np.where(array > 4)
    yield x[perm]
    yield x[perm[1:]]
    yield x[perm[0]]
    yield x[perm[0] - 1 :, perm[1]]
    yield x[rows, columns]
    yield x[np.where(array > 4)]
    yield x[np.ix_(perm, np.array([0, 1]))]
    yield x[np.array([True, False, True])]
    yield x[[perm[0], perm[1]]]
    for i in perm:
        yield x[i]
    for number, i in enumerate(np.random.RandomState(0).permutation(3)):
        yield x[number, i]
    y = x.clone()
    y[perm[:2]] = 7.0
    y[perm[2], 0] += 1
    yield y
    yield x == array
    yield x * np.array([1.0, 2.0, 3.0], dtype=np.float32)


def sizes(shape):
    count = np.prod(shape)
    yield nn.Linear(count, np.int64(2))(torch.ones(1, count)).shape
    yield torch.arange(count)
    yield torch.split(torch.arange(4), [count - 1, np.int64(1)])[1]
    yield F.pad(torch.ones(3), (np.int64(1), count))
    yield F.interpolate(torch.ones(1, 1, 4, 4), size=(np.int64(2), np.int64(2))).shape
    yield torch.ones(2, 3).transpose(np.int64(0), np.int64(1)).shape
    yield torch.full((2,), np.float64(2.5))
    yield torch.roll(torch.arange(4), np.int64(1))
    yield torch.zeros(np.shape(np.ones((2, 3)))).shape
    yield nn.Conv2d(np.int64(1), np.int64(2), np.int64(3), padding=np.int64(1))(torch.ones(1, 1, 4, 4)).shape
"""


@pytest.mark.frameworks
def test_the_program_computes_the_same(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    x = np.array([0.5, 1.5, -2.0], np.float32)
    np.testing.assert_allclose(mindspore_side.gradient(x).asnumpy(), torch_side.gradient(x).numpy(), rtol=1e-5)
    import mindspore as ms
    import torch

    factors = [np.float64(2), np.float32(0.5), np.int64(3)]
    for left, right in zip(torch_side.scaled(torch.tensor(x), factors), mindspore_side.scaled(ms.tensor(x), factors), strict=True):
        np.testing.assert_array_equal(right.asnumpy(), left.numpy())
    array = np.arange(9, dtype=np.float32).reshape(3, 3)
    for left, right in zip(torch_side.indexed(array), mindspore_side.indexed(array), strict=True):
        np.testing.assert_array_equal(right.asnumpy(), left.numpy())
    for left, right in zip(torch_side.sizes((2, 2)), mindspore_side.sizes((2, 2)), strict=True):
        np.testing.assert_array_equal(np.asarray(right), np.asarray(left))


ARRAYS_OF_TENSORS = """
import torch

def values(x, y):
    x, y = torch.relu(x), torch.relu(y)
    d = x * (y - x).numpy()
    yield d
    yield x - y.numpy()
    yield x[torch.argsort(y).numpy()]
    yield x == y.numpy()
    d = d + 1
    d += y.numpy()
    yield d
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("head", ["", "import numpy as np\n"])
def test_arrays_that_tensors_gave(tmp_path: Path, head: str) -> None:
    """``y.numpy()`` beside a tensor, in files that name numpy and in files that do not."""
    import mindspore as ms
    import torch

    torch_side, mindspore_side = both_sides(tmp_path, head + ARRAYS_OF_TENSORS)
    x, y = np.array([1.0, 2.0], np.float32), np.array([3.0, 2.0], np.float32)
    theirs, ours = torch_side.values(torch.tensor(x), torch.tensor(y)), mindspore_side.values(ms.tensor(x), ms.tensor(y))
    for left, right in zip(theirs, ours, strict=True):
        assert isinstance(right, ms.Tensor)
        np.testing.assert_array_equal(right.asnumpy(), left.numpy())


def test_numpy_that_comes_with_everything(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("import numpy as np\n", encoding="utf-8")
    (tmp_path / "script.py").write_text("import torch\nfrom helpers import *\nx = torch.ones(4, 3)\nplaces = np.where(np.arange(4) > 1)\ny = x[places]\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "x[as_index(places)]" in texts["script.py"]


UNKNOWN = """import numpy as np
import torch


class Columns(dict):
    def __getitem__(self, rows):
        return Columns({name: column[rows] for name, column in dict.items(self)})


def pick(held, places):
    return held[places]


def run():
    columns = Columns({"a": torch.arange(6), "b": torch.arange(12).view(6, 2)})
    some = columns[np.random.RandomState(0).permutation(6)[:3]]
    one = pick(torch.arange(4), np.argmax([1, 5, 2]))
    return dict.__getitem__(some, "a"), dict.__getitem__(some, "b"), one.view(-1), pick(np.arange(3), np.array([2]))
"""


@pytest.mark.frameworks
def test_arrays_as_indices_of_what_is_not_known(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, UNKNOWN)
    for theirs, ours in zip(before.run(), after.run(), strict=True):
        assert ours.tolist() == theirs.tolist()
    assert "def pick(held, places):\n    return held[places]\n" in (tmp_path / "after" / "program.py").read_text(encoding="utf-8")


COMPARED = """import numpy as np
import torch


def per_class(held):
    return [int((held["found"][held["labels"] == c] == c).sum()) for c in np.unique(held["labels"])]


def without(held, wrong):
    return held["labels"][held["labels"] != wrong].tolist()


def masked(lengths, longest=None):
    longest = torch.max(lengths).item() if longest is None else longest
    return torch.arange(0, longest).unsqueeze(0) < lengths.unsqueeze(1)


class Model(torch.nn.Module):
    def forward(self, lengths, longest=None):
        return masked(lengths, longest)


def places(held):
    return [(t.tolist(), t.is_floating_point()) for t in (torch.arange(held["n"]), torch.arange(1, held["n"]), torch.arange(held["top"]))]


labels = torch.tensor([0, 1, 1, 2])
print([Model()(*batch).tolist() for batch in ((labels, np.max([1, 3])), (labels,))])
print(places(dict(n=np.max([2, 3]), top=np.float32(2.5))))
held = dict(found=torch.tensor([0, 1, 0, 2]), labels=labels)
for job, *rest in ((per_class, held), (without, held, np.max([0, 1]))):
    print(job(*rest))
for c in np.unique(labels):
    print(int((labels == c).sum()), (labels != c).tolist())
print((labels == np.int64(1)).tolist())
"""


@pytest.mark.frameworks
def test_numbers_of_numpys_as_ends_and_beside_tensors_that_are_compared(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, COMPARED)
    assert ours == theirs


UNIVERSAL = """import numpy as np
import torch

x = torch.arange(6).reshape(2, 3) / 4
table = torch.zeros(4, 3)
table[:2] = np.sin(x)
table[2:, 0::2] = np.maximum(x[:, 0::2], 0.5)
both = np.exp(x).unsqueeze(0) + 1
whole = np.sqrt(torch.arange(3))
"""


@pytest.mark.frameworks
def test_universal_functions_give_tensors(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, UNIVERSAL)
    for name in ("table", "both", "whole"):
        np.testing.assert_allclose(getattr(ours, name).asnumpy(), getattr(theirs, name).numpy(), rtol=1e-6)
        assert str(getattr(ours, name).dtype).lower() == str(getattr(theirs, name).dtype).removeprefix("torch.")


SEVERAL_CALLERS = """
import numpy as np
import torch


class Ring:
    def __init__(self, size):
        self.rewards = torch.arange(float(size))

    def at(self, places):
        return self.rewards[places]


ring = Ring(4)
taken = [ring.at(torch.tensor([0, 2])), ring.at(np.array([1, 3]))]
"""


@pytest.mark.frameworks
def test_an_index_that_is_an_array_for_one_caller_and_a_tensor_for_another(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, SEVERAL_CALLERS)
    equal_tensors(theirs.taken, ours.taken)


BESIDE_UNKNOWN = """import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


class Corruption:
    def __init__(self, ratio):
        self.ratio = ratio
        self.drawn = np.random.RandomState(0)

    def noisy(self, x):
        found = np.zeros(tuple(x.shape))
        for column in range(x.shape[1]):
            found[:, column] = x[self.drawn.permutation(x.shape[0]), column]
        return found

    def __call__(self, x):
        mask = self.drawn.binomial(1, self.ratio, tuple(x.shape))
        return x * (1 - mask) + self.noisy(x) * mask, x / (1.0 + mask) - mask, x @ np.eye(3)


loader = DataLoader(TensorDataset(torch.arange(12.0).view(4, 3)), batch_size=4)
change = Corruption(0.5)
parts = [part for (x,) in loader for part in change(x)]
values, kinds = [part.tolist() for part in parts], [str(part.dtype).split(".")[-1].lower() for part in parts]
plain = change(np.arange(12.0).reshape(4, 3))[0].tolist()
"""


@pytest.mark.frameworks
def test_arrays_behind_what_may_be_a_tensor(tmp_path: Path) -> None:
    """``x * (1 - mask) + noise * mask`` of a batch raised: MindSpore's tensors take no array."""
    torch, mindspore = both_sides(tmp_path, BESIDE_UNKNOWN.replace("x @ np.eye(3)", "x @ np.eye(3, dtype=np.float32)"))
    for ours, theirs in zip(mindspore.values, torch.values, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert mindspore.kinds == torch.kinds and mindspore.plain == torch.plain


WRAPPED = """
import numpy as np
import torch


def log_one_minus(a):
    return torch.log(1 - a.exp() + 1e-40)


alphas = torch.tensor((np.arange(4) * -0.1 + 0.9).astype("float64"))
log_alpha = np.log(alphas)
total = np.cumsum(log_alpha)
product = np.cumprod(alphas, axis=0)
shown = [log_one_minus(total), log_one_minus(log_alpha), np.sqrt(1.0 - product).float(), np.clip(product, 0.3, 0.8), np.argsort(product), np.argmax(product.view(2, 2), axis=1), np.repeat(product, 2), np.round(product)]
kept = torch.tensor(np.append(1.0, product[:-1]))
variance = (1.0 - product[:-1]) / (1.0 - product[1:]) * kept[1:]
joined = torch.cat([variance[:1], alphas[:2].float()])
for value in [*shown, variance, joined]:
    print(type(value).__name__, str(value.dtype).lower().rpartition(".")[2], [round(float(v), 6) for v in value.flatten()])
"""


@pytest.mark.frameworks
def test_what_numpy_makes_of_tensors_stays_a_tensor(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, WRAPPED)
    assert theirs == ours
