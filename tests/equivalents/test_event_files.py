"""TensorBoard's event files: the records' checksums and the values, decoded here from the bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="the writer takes MindSpore's tensors")

from mindport.equivalents import event_files  # noqa: E402


def records(path: Path) -> Iterator[bytes]:
    """The records of a file, their checksums checked."""
    data = path.read_bytes()
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12])[0] == event_files.masked_checksum(data[:8])
        content = data[12 : 12 + length]
        assert struct.unpack("<I", data[12 + length : 16 + length])[0] == event_files.masked_checksum(content)
        yield content
        data = data[16 + length :]


def number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data: bytes) -> dict[int, object]:
    """Field number to its (last) value."""
    found: dict[int, object] = {}
    at = 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 0:
            found[key >> 3], at = number(data, at)
        elif key & 7 == 2:
            length, at = number(data, at)
            found[key >> 3], at = data[at : at + length], at + length
        else:
            size, form = (8, "<d") if key & 7 == 1 else (4, "<f")
            found[key >> 3], at = struct.unpack(form, data[at : at + size])[0], at + size
    return found


def test_the_checksum_is_crc_32c() -> None:
    rotated = (event_files.masked_checksum(b"123456789") - 0xA282EAD8) & 0xFFFFFFFF
    assert ((rotated << 15) | (rotated >> 17)) & 0xFFFFFFFF == 0xE3069283


def test_scalars_histograms_and_images_are_kept(tmp_path: Path) -> None:
    with event_files.SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", ms.Tensor([1.5]), 300)
        writer.add_histogram("weights", ms.Tensor(np.arange(10, dtype=np.float32)), 2)
        writer.add_image("picture", ms.ops.ones((3, 4, 6)))
        writer.add_scalars("both", {"a": 1, "b": 2.0}, 7)
    (path,) = tmp_path.glob("events*")
    head, scalar, histogram, image = [fields(record) for record in records(path)]
    assert head[3] == b"brain.Event:2" and scalar[2] == 300 and 2 not in image
    values = [fields(fields(event[5])[1]) for event in (scalar, histogram, image)]  # type: ignore[arg-type]
    assert [value[1] for value in values] == [b"loss", b"weights", b"picture"] and values[0][2] == 1.5
    kept = fields(values[1][5])  # type: ignore[arg-type]
    assert (kept[1], kept[2], kept[3], kept[4]) == (0, 9, 10, 45)
    picture = fields(values[2][4])  # type: ignore[arg-type]
    assert (picture[1], picture[2]) == (4, 6) and picture[4].startswith(b"\x89PNG")  # type: ignore[union-attr]
    assert len(list(tmp_path.glob("both_*/events*"))) == 2


def test_the_writer_of_tensorboardx_takes_tensors(tmp_path: Path) -> None:
    writer = event_files.XSummaryWriter(str(tmp_path), comment="no folder of its own")
    assert writer.logdir == str(tmp_path)
    writer.add_scalar("loss", ms.Tensor(0.5), 3)
    writer.add_image("seen", ms.ops.zeros((3, 4, 4)), 3)
    writer.close()
    (path,) = tmp_path.iterdir()
    assert len(list(records(path))) == 3  # the version, and two values
    with pytest.raises(Exception, match="nothing but write"):
        event_files.XSummaryWriter(str(tmp_path), write_to_disk=False)


def test_what_is_not_written_is_refused_by_name(tmp_path: Path) -> None:
    with event_files.SummaryWriter(tmp_path) as writer:
        with pytest.raises(NotImplementedError, match="SummaryWriter.add_embedding"):
            writer.add_embedding(np.eye(2))
        assert not hasattr(writer, "other")
