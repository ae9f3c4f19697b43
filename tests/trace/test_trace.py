"""mindport trace, on a program whose every call is known."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mindport.trace.reading import Trace, TraceError, read

PROGRAM = Path(__file__).parent / "program"
pytestmark = pytest.mark.frameworks


def command(*arguments: str, out: Path) -> list[str]:
    """The command line of a trace of the program."""
    split = arguments.index("--")
    return [sys.executable, "-m", "mindport", "trace", "-o", str(out), *arguments[:split], "--", sys.executable, "train.py", *arguments[split + 1 :]]


def line(text: str) -> int:
    """The number of the program's line that holds `text`."""
    return next(n for n, found in enumerate((PROGRAM / "train.py").read_text().splitlines(), 1) if text in found)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, Path, subprocess.CompletedProcess[str]]:
    """A run to the end: 2 epochs of 3 batches, then an exception."""
    out = tmp_path_factory.mktemp("trace") / "t.jsonl"
    ran = subprocess.run(command("--format", "json", "--", "2", "fail", out=out), cwd=PROGRAM, capture_output=True, text=True)
    return read(out), out, ran


def test_layers_shapes_and_parameters(whole: tuple[Trace, Path, object]) -> None:
    trace = whole[0]
    net = trace.networks[0]
    assert net.cls == "__main__.Net" and net.parameters == 3 * 8 * 9 + 8 + 16 + 8 * 4 + 4 + 6
    layers = {layer.path: layer for layer in net.layers}
    assert set(layers) == {"", "stem", "stem.0", "stem.1", "head", "never"}  # `tied` is `head`
    conv = layers["stem.0"]
    assert (conv.parameters, conv.calls, conv.distinct) == (224, 6, 4)
    first, second = conv.shapes[:2]
    assert first.inputs == (("0", "float32", (4, 3, 8, 8)),) and first.outputs == (("", "float32", (4, 8, 8, 8)),)
    assert second.inputs[0][2] == (4, 3, 8, 6)
    assert first.macs == 4 * 8 * 64 * 27
    # widths alternate over batches of 4, 4, 2: iterations 0 and 4 are wide and whole
    assert (first.calls, first.first, first.last) == (2, 0, 4)
    assert layers["never"].calls == 0 and layers["never"].parameters == 6
    assert layers[""].seconds >= layers["stem"].seconds > layers["stem"].own_seconds >= 0


def test_functions_are_recorded_where_the_project_calls_them(whole: tuple[Trace, Path, object]) -> None:
    found = {(call.name, call.line): call.count for call in whole[0].calls}
    assert found["torch.nn.functional.relu", line("F.relu")] == 6
    assert found["torch.nn.functional.max_pool2d", line("F.max_pool2d")] == 6
    assert found["torch.Tensor.mean", line('x.mean')] == 6
    assert found["torch.full", line("torch.full(")] == 20
    assert found["torch.optim.sgd.SGD", line("optim.SGD")] == 1
    assert {call.file for call in whole[0].calls} == {str(PROGRAM / "train.py")}
    # what the library's own layers call inside is no call of the project
    assert not any("conv2d" in name for name, _ in found)


def test_operations_are_recorded_by_line(whole: tuple[Trace, Path, object]) -> None:
    places = {(place.name, place.line): place for place in whole[0].places}
    relu = places["torch.nn.functional.relu", line("F.relu")]
    assert (relu.calls, relu.distinct, relu.most) == (6, 4, 1) and relu.outputs[0] == ((4, 8, 8, 8),)


def test_loaders_losses_and_the_end(whole: tuple[Trace, Path, subprocess.CompletedProcess[str]]) -> None:
    trace, out, ran = whole
    (loader,) = trace.loaders
    assert (loader.dataset, loader.batch_size, loader.line) == ("__main__.Numbers", 4, line("in DataLoader"))
    assert [(b.tensors[0][2][0], b.count) for b in loader.batches] == [(4, 4), (2, 2)]
    assert trace.iterations == 6 and trace.unit == "optimizer steps" and len(trace.losses) == 6
    assert trace.ended == "ValueError" and "as wanted" in ran.stderr
    assert ran.returncode == 1 and json.loads(ran.stdout)["iterations"] == 6


def test_a_trace_is_not_overwritten_unless_wanted(whole: tuple[Trace, Path, object], tmp_path: Path) -> None:
    ran = subprocess.run(command("--", "1", "x", out=whole[1]), cwd=PROGRAM, capture_output=True, text=True)
    assert ran.returncode == 2 and "--force" in ran.stderr
    other = tmp_path / "notes.txt"
    other.write_text("mine\n")
    ran = subprocess.run(command("--force", "--", "1", "x", out=other), cwd=PROGRAM, capture_output=True, text=True)
    assert ran.returncode == 2 and other.read_text() == "mine\n"


def test_steps_end_the_program(tmp_path: Path) -> None:
    ran = subprocess.run(command("--steps", "2", "--", "1000", "x", out=tmp_path / "t"), cwd=PROGRAM, capture_output=True, text=True)
    trace = read(tmp_path / "t")
    assert ran.returncode == 0 and "steps 3000" not in ran.stdout
    assert (trace.iterations, trace.ended) == (2, "steps")


@pytest.mark.parametrize(("number", "code", "ended"), [(signal.SIGINT, 130, "KeyboardInterrupt"), (signal.SIGKILL, -9, None)])
def test_an_interrupted_trace_is_a_shorter_one(tmp_path: Path, number: signal.Signals, code: int, ended: str | None) -> None:
    out = tmp_path / "t"
    process = subprocess.Popen(
        command("--", "100000", "x", out=out), cwd=PROGRAM, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and (not out.exists() or b'"loss"' not in out.read_bytes()):
        time.sleep(0.1)
    # as a terminal does, to all of the group
    os.killpg(process.pid, number)
    assert process.wait(60) == code
    trace = read(out)
    assert trace.ended == ended and trace.networks[0].layers and trace.losses


def test_an_interrupt_that_another_exception_wraps_is_one(tmp_path: Path) -> None:
    # Python 3.11 makes a RuntimeError of an interrupt that meets `__set_name__`, as it may while torch imports on demand
    program = "import torch\nx = torch.ones(1, requires_grad=True)\nx.sum().backward()\nclass N:\n    def __set_name__(self, owner, name): raise KeyboardInterrupt\n"
    ran = subprocess.run(
        [sys.executable, "-m", "mindport", "trace", "-o", str(tmp_path / "t"), "--", sys.executable, "-c", program + "class C:\n    n = N()\n"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.returncode, read(tmp_path / "t").ended) == (130, "KeyboardInterrupt"), ran.stderr


def test_a_program_without_pytorch_is_told(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "mindport", "trace", "-o", str(tmp_path / "t"), "--", sys.executable, "-c", "pass"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 2 and "nothing of PyTorch was seen" in ran.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"), ("hello\n", "not JSON"), ('{"event": "step"}\n', "no trace"), ('{"event": "trace", "version": 99}\n', "reads 1"),
        ('{"event": "trace", "version": 1}\n{"event": "shapes"}\n', "damaged"),
    ],
)  # fmt: skip
def test_what_is_no_trace_is_said_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t"
    path.write_text(text)
    with pytest.raises(TraceError, match=said):
        read(path)


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text('{"event": "trace", "version": 1}\n{"event": "loss", "iteration": 0, "value": 1.5}\n{"event": "lo')
    assert read(path).losses == [(0, 1.5)]
