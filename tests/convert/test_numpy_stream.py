"""NumPy's numbers of a program are torch's also where models were made in between."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.convert import convert  # noqa: E402
from mindport.convert.numpy_draws import drawing  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import numpy as np
import torch
import torch.nn as nn


def drawn():
    np.random.seed(3)
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(3, 4), nn.Conv1d(1, 1, 1), nn.Tanhshrink())
    nn.init.normal_(net[0].weight)
    recurrent = nn.LSTM(3, 4, 2), nn.GRUCell(3, 4)
    return np.random.normal(0, 1, 3).tolist(), [net[0].weight.detach().numpy().tolist(), [p.detach().numpy().tolist() for layer in recurrent for p in layer.parameters()]]
'''


def test_models_leave_numpys_stream_alone(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    ours, weights = after.drawn()
    assert ours == before.drawn()[0]
    assert after.drawn()[1] == weights  # the seed decides the values


SEEDED = """
import torch
import torch.nn as nn


def made(seed):
    torch.manual_seed(seed)
    return [p.detach().numpy().tolist() for layer in (nn.Linear(3, 4), nn.Conv2d(1, 2, 1), nn.GRU(2, 3), nn.Embedding(3, 2)) for p in layer.parameters()]


def gone_back():
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = nn.Linear(3, 4).weight.tolist()
    torch.set_rng_state(state)
    return first == nn.Linear(3, 4).weight.tolist()
"""


def test_a_seed_brings_the_same_weights_where_nothing_draws_from_numpy(tmp_path: Path) -> None:
    _, after = both_sides(tmp_path, SEEDED)
    assert after.made(3) == after.made(3) != after.made(4)
    assert after.gone_back()


LOADER = """
import numpy as np


def batch():
    return np.random.rand(3).tolist()
"""
TRAINING = """
import torch.nn as nn
from loader import batch


def drawn():
    first = batch()
    nn.Linear(3, 4)
    return first, batch()
"""


def test_also_where_another_file_draws(tmp_path: Path) -> None:
    """A loader of data names no tensor; the models are made elsewhere."""
    for name, text in {"loader.py": LOADER, "training.py": TRAINING, "apart.py": "import torch.nn as nn\n\nnn.Linear(3, 4)\n"}.items():
        (tmp_path / name).write_text(text)
    files = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "NUMPY_LEFT_ALONE" in files["training.py"] and "NUMPY_LEFT_ALONE" in files["torch_equivalents.py"]
    assert files["loader.py"] == LOADER
    assert "NUMPY_LEFT_ALONE" not in files["apart.py"]


def test_no_program_that_does_not_draw_is_concerned(tmp_path: Path) -> None:
    texts = {"loader.py": LOADER, "training.py": TRAINING, "other.py": "import numpy as np\n\nr = np.random.RandomState(0).rand()\n", "third.py": "from numpy.random import rand\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert {str(path) for path in drawing(discover(tmp_path).files)} == {"loader.py", "training.py", "third.py"}


DRAWS = """
import random
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def after(what):
    random.seed(1)
    np.random.seed(2)
    torch.manual_seed(4)
    np.random.rand()
    if what == "uniform":
        nn.init.uniform_(torch.empty(3, 2), -1.0, 2.0)
    elif what == "gumbel":
        F.gumbel_softmax(torch.zeros(3, 2))
    elif what == "pool":
        nn.FractionalMaxPool2d(2, output_size=(2, 2))(torch.zeros(1, 1, 5, 5))
    elif what == "device":
        torch.cuda.manual_seed(5)
    elif what == "devices":
        torch.cuda.manual_seed_all(5)
    return random.random(), np.random.rand(2).tolist()


def uniform():
    torch.manual_seed(7)
    return nn.init.uniform_(torch.empty(500), 1.0, 3.0).numpy()
"""


def test_draws_of_torch_leave_numpys_stream_alone(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, DRAWS)
    for what in ("uniform", "gumbel", "pool", "device", "devices"):
        assert after.after(what) == before.after(what), what
    drawn = after.uniform()
    assert (drawn == after.uniform()).all()  # torch's seed decides
    assert drawn.min() >= 1 and drawn.max() < 3 and 1.8 < drawn.mean() < 2.2


def test_only_files_that_make_layers_name_it(tmp_path: Path) -> None:
    """The module that has them is imported before a layer can be made; a trainer or a loss beside it needs nothing."""
    texts = {
        "training.py": TRAINING, "loader.py": LOADER,
        "loss.py": "import torch\nfrom torch import nn\n\n\nclass Loss(nn.Module):\n    def forward(self, x, y):\n        return torch.abs(x - y).mean()\n",
        "weights.py": "from torch.nn import init\n\n\ndef prepare(w):\n    init.ones_(w)\n",
        "blocks.py": "from torch import nn\n\n\nclass Block(nn.Linear):\n    pass\n",
        "run.py": "import training, loss, weights, blocks\n",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "NUMPY_LEFT_ALONE" not in files["loss.py"]
    assert "NUMPY_LEFT_ALONE" in files["training.py"]
    assert all("torch_equivalents" in files[name] for name in ("weights.py", "blocks.py"))
