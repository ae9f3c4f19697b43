"""Scenarios of torch.hub: checkpoints from addresses of files that are written here."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

STATE = {"weight": torch.arange(6.0).reshape(2, 3), "bias": torch.tensor([1.5, -2.0]), "num_batches_tracked": torch.tensor(7)}


@scenario("torch.hub.load_state_dict_from_url")
def checkpoint_from_an_address(side: Side) -> Any:
    """What torch.save wrote, downloaded once: the second time the file in the cache is read, under its own name or another."""
    with tempfile.TemporaryDirectory() as place:
        source, cache = Path(place) / "net-0123.pth", Path(place) / "cache"
        torch.save(STATE, source)
        first = side.call(source.as_uri(), model_dir=str(cache), map_location="cpu", progress=False)
        source.unlink()
        again = side.call(source.as_uri(), str(cache), progress=False)
        (cache / "net-0123.pth").rename(cache / "other.pth")
        named = side.call("https://example.invalid/net.pth", str(cache), progress=False, file_name="other.pth")
        return [dict(first), dict(again), dict(named), sorted(path.name for path in cache.iterdir())]


@scenario("torch.hub.download_url_to_file")
def downloaded_file(side: Side) -> Any:
    """The bytes; a sum of another file raises and leaves nothing."""
    with tempfile.TemporaryDirectory() as place:
        source, target = Path(place) / "source.bin", Path(place) / "target.bin"
        source.write_bytes(b"weights")
        side.call(source.as_uri(), str(target), progress=False)
        try:
            side.call(source.as_uri(), str(Path(place) / "other.bin"), "0" * 8, progress=False)
        except RuntimeError as error:
            return [target.read_bytes().decode(), str(error), sorted(os.listdir(place))]
        return "nothing was raised"


@scenario("torch.hub.get_dir", "torch.hub._get_torch_home")
def folders(side: Side) -> Any:
    """By TORCH_HOME, by XDG_CACHE_HOME, by neither."""
    names, found = ("TORCH_HOME", "XDG_CACHE_HOME"), []
    kept = {name: os.environ.pop(name, None) for name in names}
    try:
        for settings in ({"TORCH_HOME": "/somewhere/torch"}, {"XDG_CACHE_HOME": "/cache"}, {}):
            os.environ.update(settings)
            found.append(side.call())
            for name in settings:
                del os.environ[name]
    finally:
        os.environ.update({name: value for name, value in kept.items() if value is not None})
    return found
