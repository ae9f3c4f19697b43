"""Other libraries' names without their source: what only prints is left out and told, what is refused says what to write instead."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.report.scan import scan
from mindport.source.discover import discover

PRINTED = """
from torch import nn
from torchsummary import summary


def made():
    print("made")
    return nn.Linear(3, 2)


net = nn.Linear(3, 2)
summary(net, (3,), device="cpu")
summary(made(), (3,))
"""

REFUSED = """
from apex import amp, optimizers
from apex.normalization import FusedLayerNorm
from thop import profile
from torchvision.datasets.vision import VisionDataset


def prepare(net, images):
    optimizer = optimizers.FusedAdam(net.parameters(), lr=1e-3)
    net, optimizer = amp.initialize(net, optimizer, opt_level="O1")
    return net, optimizer, FusedLayerNorm(8), profile(net, inputs=(images,)), VisionDataset("images")
"""


def test_a_printed_table_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PRINTED, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "program.py")
    assert "torchsummary" not in text and "summary(net" not in text
    assert "made()" in text.partition("net = ")[2]  # what an argument does is done
    told = [(f.code, f.span.line, f.risk) for f in conversion.findings if "torchsummary" in f.message and f.code == "MP103" and f.span]
    assert sorted(told) == [("MP103", 12, "silent"), ("MP103", 13, "silent")]


def test_what_is_refused_says_what_to_write(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(REFUSED, encoding="utf-8")
    told = {f.api: f.message for f in convert(discover(tmp_path)).findings if f.code == "MP108"}
    scanned = {row.api: row.message for row in scan(discover(tmp_path)).rows if row.code == "MP108"}
    for found in (told, scanned):
        assert set(found) == {"apex.optimizers.FusedAdam", "apex.amp.initialize", "apex.normalization.FusedLayerNorm", "thop.profile"}
        for name, word in (("apex.optimizers.FusedAdam", "torch.optim.AdamW"), ("apex.amp.initialize", "torch.amp.GradScaler"), ("apex.normalization.FusedLayerNorm", "torch.nn.LayerNorm"), ("thop.profile", "sum(p.numel()")):
            assert word in found[name] and "--with" not in found[name]
