"""Names that torchvision dropped are read as the present ones."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover


def test_scale_and_random_sized_crop(tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text(
        "import torchvision.transforms as transforms\nfrom torchvision.transforms import Scale\n\nsteps = transforms.Compose([Scale(256), transforms.Scale((8, 8)), transforms.RandomSizedCrop(224)])\n", encoding="utf-8"
    )
    conversion = convert(discover(tmp_path))
    text = {path.name: text for path, text in conversion.files.items()}["data.py"]
    assert "Compose([Resize(256), Resize((8, 8)), RandomResizedCrop(224)])" in text
    assert not [finding for finding in conversion.findings if finding.code == "MP108"]
