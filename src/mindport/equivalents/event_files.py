"""TensorBoard's event files: torch.utils.tensorboard's writer, without TensorBoard or TensorFlow.

A file is a row of records (length, checksum, bytes, checksum), each an `Event` in protocol buffers' wire format, which needs
three kinds of fields only: numbers of varying length, eight bytes, and bytes with their length.
https://docs.pytorch.org/docs/2.13/tensorboard.html, https://www.tensorflow.org/tutorials/load_data/tfrecord,
https://protobuf.dev/programming-guides/encoding/
"""

import io
import os
import socket
import struct
import sys
import time

import numpy as np
from mindspore import Tensor
from PIL import Image

from mindport.declare import Refused, difference, layer


def checksum_table():
    """CRC-32C of each byte."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CHECKSUMS = checksum_table()


def masked_checksum(data):
    """CRC-32C, rotated and shifted as records keep it."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest = CHECKSUMS[(rest ^ byte) & 0xFF] ^ (rest >> 8)
    rest ^= 0xFFFFFFFF
    return (((rest >> 15) | (rest << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(number):
    """A whole number, seven bits a byte; a negative one as 64 bits."""
    number &= 0xFFFFFFFFFFFFFFFF
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def whole(field, number):
    """A field that holds a whole number."""
    return varint(field << 3) + varint(number)


def double(field, number):
    """A field of eight bytes."""
    return varint(field << 3 | 1) + struct.pack("<d", number)


def single(field, number):
    """A field of four bytes."""
    return varint(field << 3 | 5) + struct.pack("<f", number)


def message(field, content):
    """A field of bytes: a text, or another message."""
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def array_of(values):
    """Numbers of a tensor, an array, or Python."""
    return values.asnumpy() if isinstance(values, Tensor) else np.asarray(values)


class EventFile:
    """One file of events, opened with the first one."""

    def __init__(self, folder, suffix=""):
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}.{id(self) % 1000}{suffix}"
        self.file = open(os.path.join(folder, name), "wb")
        self.write(double(1, time.time()) + message(3, "brain.Event:2"))

    def write(self, event):
        """One record; it reaches the system at once."""
        length = struct.pack("<Q", len(event))
        self.file.write(length + struct.pack("<I", masked_checksum(length)) + event + struct.pack("<I", masked_checksum(event)))
        self.file.flush()

    def value(self, content, step, walltime):
        """An event with one value of a summary."""
        at = time.time() if walltime is None else walltime
        self.write(double(1, at) + (b"" if step is None else whole(2, int(step))) + message(5, message(1, content)))


@layer(
    "torch.utils.tensorboard.SummaryWriter", "torch.utils.tensorboard.writer.SummaryWriter",
    drops={"max_queue": "each event is written at once", "flush_secs": "each event is written at once", "purge_step": "nothing is removed"},
    differs=[difference("add_graph writes nothing: a MindSpore network has no graph before it is compiled", risk="style", zh="add_graph 不写入计算图")],
)
class SummaryWriter:
    """Scalars, histograms, images and texts for TensorBoard, in `log_dir`."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            log_dir = os.path.join("runs", time.strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment)
        self.log_dir = str(log_dir)
        self.filename_suffix = filename_suffix
        self.files = {}
        self.file()

    def file(self, folder=""):
        """The event file of the writer's folder, or of a curve beside it."""
        if folder not in self.files:
            self.files[folder] = EventFile(os.path.join(self.log_dir, folder) if folder else self.log_dir, self.filename_suffix)
        return self.files[folder]

    def get_logdir(self):
        return self.log_dir

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        self.file().value(message(1, tag) + single(2, float(array_of(scalar_value).reshape(()))), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        for name, value in tag_scalar_dict.items():
            content = message(1, main_tag) + single(2, float(array_of(value).reshape(())))
            self.file(main_tag.replace("/", "_") + "_" + name).value(content, global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        values = array_of(values).astype(np.float64).reshape(-1)
        if values.size == 0:
            raise ValueError("The input has no element.")
        counts, limits = np.histogram(values, bins="auto" if bins == "tensorflow" else bins)
        histogram = double(1, values.min()) + double(2, values.max()) + double(3, values.size) + double(4, values.sum())
        histogram += double(5, (values * values).sum()) + message(6, limits[1:].astype("<f8").tobytes()) + message(7, counts.astype("<f8").tobytes())
        self.file().value(message(1, tag) + message(5, histogram), global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        pixels = array_of(img_tensor)
        if dataformats == "HW":
            pixels, dataformats = pixels[..., None], "HWC"
        if sorted(dataformats) != ["C", "H", "W"]:
            raise ValueError(f"an image has the axes C, H and W, not {dataformats}")
        pixels = pixels.transpose([dataformats.index(axis) for axis in "HWC"])
        if pixels.dtype != np.uint8:
            pixels = (pixels.astype(np.float32) * 255.0).clip(0, 255).astype(np.uint8)
        encoded = io.BytesIO()
        Image.fromarray(np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels).save(encoded, "PNG")
        height, width = pixels.shape[:2]
        image = whole(1, height) + whole(2, width) + whole(3, max(pixels.shape[2], 3)) + message(4, encoded.getvalue())
        self.file().value(message(1, tag) + message(4, image), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        images = np.moveaxis(array_of(img_tensor), dataformats.index("N"), 0)
        axes = dataformats.replace("N", "")
        side_by_side = np.concatenate(list(images), axis=axes.index("W"))
        self.add_image(tag, side_by_side, global_step, walltime, axes)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        if isinstance(figure, (list, tuple)):
            raise Refused("several figures at once: add them one by one")
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png")
        self.add_image(tag, np.asarray(Image.open(drawn).convert("RGB")), global_step, walltime, "HWC")
        plots = sys.modules.get("matplotlib.pyplot")  # loaded where a figure of its is open
        if close and plots is not None:
            plots.close(figure)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        tensor = whole(1, 7) + message(2, message(2, whole(1, 1))) + message(8, text_string)
        content = message(1, tag + "/text_summary") + message(8, tensor) + message(9, message(1, message(1, "text")))
        self.file().value(content, global_step, walltime)

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        return None

    def flush(self):
        return None

    def close(self):
        for file in self.files.values():
            file.file.close()
        self.files = {}

    def __getattr__(self, name):
        if name.startswith("add_"):
            raise NotImplementedError(f"SummaryWriter.{name} is not written here: use scalars, histograms, images, figures and texts, or tensorboardX")
        raise AttributeError(name)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


@layer("tensorboardX.SummaryWriter", "tensorboardX.writer.SummaryWriter", drops={
    "max_queue": "each event is written at once", "flush_secs": "each event is written at once", "purge_step": "nothing is removed", "comet_config": "nothing is sent",
}, differs=[difference("add_graph writes nothing: a MindSpore network has no graph before it is compiled", risk="style", zh="add_graph 不写入计算图")])  # fmt: skip
class XSummaryWriter(SummaryWriter):
    """tensorboardX's writer, whose own methods take no MindSpore tensors. https://tensorboardx.readthedocs.io/en/latest/tensorboard.html"""

    def __init__(
        self, logdir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix="", write_to_disk=True, log_dir=None,
        comet_config=None,
    ):  # fmt: skip
        if not write_to_disk:
            raise Refused("write_to_disk=False: this writer does nothing but write")
        super().__init__(logdir or log_dir, comment, purge_step, max_queue, flush_secs, filename_suffix)
        self.logdir = self.log_dir
