"""What the ladder and the overlay compute from curves, logs and digests; no framework runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from mindport.report import charts
from mindport.report import overlay as told
from mindport.verify.training import streams
from mindport.verify.training.band import FACTOR, SHARE, band
from mindport.verify.training.digest import digest, same
from mindport.verify.training.journal import Journal
from mindport.verify.training.metrics import figures, last
from mindport.verify.training.operators import departing
from mindport.verify.training.overlay import Overlay, Series, overlay_logs, speed, trend
from mindport.verify.training.recorded import load_run

DOWN = [2.0 * math.exp(-0.03 * i) + 0.05 * math.sin(7 * i) for i in range(100)]


def test_the_band_follows_the_largest_noise_so_far() -> None:
    found = band([1.0, 0.9, 0.8], [[1.0, 0.901, 0.8], [1.0, 0.9, 0.8001]])
    assert found.noise == pytest.approx([0.0, 1e-3, 1e-3])
    assert found.allowed == pytest.approx([SHARE, SHARE + FACTOR * 1e-3, SHARE + FACTOR * 1e-3])
    assert found.horizon is None


def test_where_torch_does_not_reproduce_itself_nothing_is_decided() -> None:
    assert band([1.0, 0.9, 0.8], [[1.0, 0.9, 0.95]]).horizon == 2
    assert band([], []).allowed == []


def test_a_step_without_a_loss_says_nothing() -> None:
    """The second of two optimizers that step behind one backward pass; it was infinite noise, and nothing behind it was decided."""
    found = band([1.0, math.nan, 0.8], [[1.0, math.nan, 0.8]])
    assert found.horizon is None and found.noise == [0.0, 0.0, 0.0]
    assert band([1.0, math.nan, 0.8], [[1.0, 0.9, 0.8]]).horizon == 1


def test_noise_is_known_as_far_as_a_run_shows_it() -> None:
    assert band([1.0, 0.9, 0.8], [[1.0], [1.0, 0.9]]).known == 2
    assert band([1.0, 0.9, 0.8], []).known == 3, "noise was not asked for: the fixed share alone decides"


@pytest.mark.parametrize(("change", "verdict"), [
    (lambda i, v: v * 1.001, "fine"), (lambda i, v: v + 0.04 * math.cos(5 * i), "fine"),
    (lambda i, v: v + 0.01 * i, "worse"), (lambda i, v: 2.0, "worse"), (lambda i, v: math.nan if i > 50 else v, "worse"),
    (lambda i, v: v - 0.006 * i, "better"),
])  # fmt: skip
def test_the_trend_is_judged(change: object, verdict: str) -> None:
    run = [change(i, v) for i, v in enumerate(DOWN)]  # type: ignore[operator]
    assert trend(Series("loss", DOWN, run)).verdict == verdict


def test_few_steps_and_slow_steps() -> None:
    assert trend(Series("loss", DOWN[:5], DOWN[:5])).verdict == "could not judge"
    assert speed(Series("s", [9.0] + [1.0] * 20, [50.0] + [1.1] * 20)).verdict == "fine"
    assert speed(Series("s", [1.0] * 20, [1.5] * 20)).verdict == "slower"


def test_figures_in_logs(tmp_path: Path) -> None:
    text = "Epoch 3/10 loss=0.5 acc: 91.2% time 3.1s\nval_loss 1e-3, {'f1': 0.25, 'epoch': 4}\n"
    assert figures(text) == {"loss": [0.5], "acc": [91.2], "val_loss": [1e-3], "f1": [0.25]}
    assert last("a 1.5\na 2.5") == {"a": 2.5}
    assert figures("torch.float32 (4, 2) rate [1e-05]\nx torch.uint8") == {}, "a name that ends in digits, an exponent"
    assert figures("score -> 7", r"score -> (?P<value>\d+)") == {"metric": [7.0]}
    for name, shift in (("one", 0.0), ("two", 0.001)):
        (tmp_path / name).write_text("".join(f"step {i} loss {v + shift:.5f}\n" for i, v in enumerate(DOWN)))
    made = overlay_logs(tmp_path / "one", tmp_path / "two")
    assert [v.verdict for v in made.verdicts] == ["fine"] and made.exit_code == 0


def test_digests_tell_order_and_allow_rounding() -> None:
    values = np.random.default_rng(0).standard_normal((8, 5)).astype(np.float32)
    assert same(digest(values), digest(np.nextafter(values, np.float32(9))))
    assert not same(digest(values), digest(values[::-1]))
    assert not same(digest(values), digest(values * 1.01))
    assert not same(digest(np.arange(4)), digest(np.arange(4).reshape(2, 2)))


def test_a_torn_line_is_left_out(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    assert journal.claim() and not Journal(str(tmp_path)).claim()
    journal.write("start", framework="torch", version="2")
    seconds = {"whole": 1.0}
    journal.write("step", total=1, optimizer=0, n=1, lr=[0.1], loss=["nan"], seconds=seconds)
    journal.arrays("first", {"x": np.zeros(2)})
    with (tmp_path / "run.jsonl").open("a") as stream:
        stream.write('{"event": "step", "tot')
    run = load_run(tmp_path)
    assert run is not None and (len(run.steps), run.torn, run.ended) == (1, 1, False)
    assert math.isnan(run.steps[0].losses[0]) and list(run.arrays("first")) == ["x"]
    (tmp_path / "claimed").unlink()
    journal.arrays("second", {"x": np.zeros(2)})
    assert not run.arrays("second"), "the folder belongs to another recording now"


def test_the_operator_that_departs_gets_what_is_met_and_feeds_nothing_that_is() -> None:
    rng = np.random.default_rng(1)
    a, b, c, d = (digest(rng.standard_normal(6)) for _ in range(4))

    def operator(name: str, inputs: list[int], output: int, kept: object) -> dict[str, object]:
        return {"name": name, "line": "x.py:1", "inputs": inputs, "outputs": [output], "digests": [kept]}

    result = {"name": "", "line": "", "inputs": [4], "outputs": [], "digests": []}
    torch = [
        operator("torch.exp", [1], 2, a), operator("torch.sin", [2], 3, b), operator("torch.cos", [3], 4, c),
        operator("torch.tan", [1], 5, d), result,
    ]  # fmt: skip
    found = departing(torch, [{"digests": [a]}, {"digests": [digest(rng.standard_normal(6))]}])
    assert found is not None and found.name == "torch.sin"
    # sin is not met, but what is made from it is: the other side has another grain there.
    assert departing(torch, [{"digests": [a]}, {"digests": [c]}]) is None


def test_a_number_without_axes_comes_from_the_stream_of_one_axis() -> None:
    streams._GENERATORS.clear()
    first, second = streams.uniform("uniform", ()), streams.uniform("uniform", (1,))
    streams._GENERATORS.clear()
    assert streams.uniform("uniform", (1, 1)).item() == first and streams.uniform("uniform", ()) == second.item()


def test_streams_do_not_depend_on_other_draws() -> None:
    streams._GENERATORS.clear()
    first = streams.normal("normal", (3,))
    streams._GENERATORS.clear()
    streams.uniform("uniform", (4,))
    assert np.array_equal(streams.normal("normal", (3,)), first)
    drawn = streams.choices(np.array([0.0, 1.0, 3.0]), 2, False)
    assert sorted(drawn) == [1, 2]


def test_charts_and_page(tmp_path: Path) -> None:
    assert charts.ticks(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    drawn = charts.lines("loss", {"one": [1.0, math.nan, 3.0], "two": [5.0]})
    assert drawn.count("<polyline") == 1 and drawn.count("<circle") == 1
    assert "no values" in charts.lines("x", {"one": [math.nan]})
    made = Overlay({"baseline": "<b>", "run": "two"}, [Series("loss", DOWN, DOWN)], [trend(Series("loss", DOWN, DOWN))])
    made.phases = {"baseline": {"data": 0.1}, "run": {"data": 0.2}}
    page = told.render(made)
    assert "<b>" not in page and "&lt;b&gt;" in page and "http" not in page.replace("http-equiv", "")
    assert json.loads(told.render_json(made))["mindport_overlay"] == 1


def test_what_a_printed_object_was_made_with_is_no_figure() -> None:
    printed = "(0): Conv2d(1, 8, kernel_size=(3, 3), stride=(1, 1))\n  (1): Dropout2d(p=0.25, inplace=False)\nTest Accuracy(macro) 0.25, Loss: 0.5"
    assert last(printed) == {"loss": 0.5}
