"""Files from addresses: whole or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest


@pytest.mark.frameworks
def test_a_download_is_checked_and_whole(tmp_path: Path) -> None:
    from mindport.equivalents.hub import download_url_to_file

    source, target = tmp_path / "source.bin", tmp_path / "target.bin"
    source.write_bytes(b"weights")
    known = hashlib.sha256(b"weights").hexdigest()
    download_url_to_file(source.as_uri(), str(target), known[:8])
    assert target.read_bytes() == b"weights"
    with pytest.raises(RuntimeError, match="invalid hash value"):
        download_url_to_file(source.as_uri(), str(tmp_path / "other.bin"), "0" * 8, progress=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["source.bin", "target.bin"]
