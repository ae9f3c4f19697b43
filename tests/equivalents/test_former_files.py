"""Files in the layout that PyTorch wrote before 1.6, as many published weights still are."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks


def former(value: Any) -> bytes:
    import torch

    into = io.BytesIO()
    torch.save(value, into, _use_new_zipfile_serialization=False)
    return into.getvalue()


class Held:
    pass


def test_what_it_holds_is_read() -> None:
    """torchvision's vgg16-397923af.pth and LPIPS's own heads are such files: they were refused."""
    import torch

    from mindport.equivalents.deserialization import load

    whole = torch.arange(12.0).reshape(3, 4)
    found = load(io.BytesIO(former({"whole": whole, "part": whole[1:, ::2], "empty": torch.zeros(0, 3), "parameter": torch.nn.Parameter(torch.ones(2))})))
    assert found["whole"].asnumpy().tolist() == whole.tolist() and found["part"].asnumpy().tolist() == whole[1:, ::2].tolist()
    assert found["empty"].shape == (0, 3) and found["parameter"].requires_grad


def test_what_is_no_checkpoint_raises(tmp_path: Path) -> None:
    import pickle

    from mindport.declare import Refused
    from mindport.equivalents.deserialization import load

    for content in (b"not a checkpoint", pickle.dumps({"a": 1}), b"\x80\x02"):
        (tmp_path / "file.pth").write_bytes(content)
        with pytest.raises(Refused, match="torch.save did not write"):
            load(str(tmp_path / "file.pth"))
    with pytest.raises(RuntimeError, match="damaged"):
        load(io.BytesIO(former({"a": [1.0], "b": __import__("torch").ones(100)})[:-200]))
    with pytest.raises(pickle.UnpicklingError, match="Weights only"):
        load(io.BytesIO(former(Held())))
    assert isinstance(load(io.BytesIO(former(Held())), weights_only=False), Held)
