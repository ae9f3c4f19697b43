"""Line charts and bars as SVG text: two series over steps, gridlines, direct labels, a description for readers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

_WIDTH, _HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 12, 30
_MOST_POINTS = 600


def lines(name: str, series: Mapping[str, Sequence[float]], steps: bool = True) -> Markup:
    """One chart: `series` maps a CSS class (``one``, ``two``) to values; what is not finite interrupts the line."""
    finite = [v for values in series.values() for v in values if math.isfinite(v)]
    if not finite:
        return Markup('<p class="quiet">no values</p>')
    low, high = min(finite), max(finite)
    logarithmic = low > 0 and high / low > 200
    scaled = [math.log10(v) for v in finite] if logarithmic else finite
    low, high = min(scaled), max(scaled)
    if high - low < 1e-12 * max(abs(high), 1e-300):
        low, high = low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1)
    count = max(len(values) for values in series.values())

    def x(place: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (place / max(count - 1, 1))

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - (value - low) / (high - low))

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(name)} over the steps">']
    for tick in ticks(low, high):
        shown = f"{10 ** tick:.3g}" if logarithmic else f"{tick:.4g}"
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="axis" x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{shown}</text>')
    for tick in ticks(1, max(count, 2)):
        if tick == int(tick) and 1 <= tick <= count:
            parts.append(f'<text class="axis" x="{x(int(tick) - 1):.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{int(tick)}</text>')
    if steps:
        parts.append(f'<text class="axis" x="{_LEFT - 6}" y="{_HEIGHT - 10}" text-anchor="end">step</text>')
    for kind, values in series.items():
        for points in _runs(values, logarithmic):
            text = " ".join(f"{x(i):.1f},{y(v):.1f}" for i, v in points)
            if len(points) == 1:
                parts.append(f'<circle class="dot {kind}" cx="{x(points[0][0]):.1f}" cy="{y(points[0][1]):.1f}" r="2.5"/>')
            else:
                parts.append(f'<polyline class="{kind}" points="{text}"/>')
    return Markup("".join([*parts, "</svg>"]))


def bars(name: str, rows: Mapping[str, Mapping[str, float]], unit: str, factor: float = 1.0) -> Markup:
    """Horizontal bars: for each row one bar a series (class → value)."""
    largest = max((v for values in rows.values() for v in values.values()), default=0.0)
    if not largest:
        return Markup("")
    height = 20 + 46 * len(rows)
    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(name)}">']
    for place, (row, values) in enumerate(rows.items()):
        top = 10 + 46 * place
        parts.append(f'<text class="label" x="128" y="{top + 22}" text-anchor="end">{escape(row)}</text>')
        for offset, (kind, value) in enumerate(values.items()):
            width = max((_WIDTH - 240) * value / largest, 0.8)
            parts.append(f'<rect class="{kind}" x="136" y="{top + 17 * offset}" width="{width:.1f}" height="14" rx="2"/>')
            parts.append(f'<text class="axis" x="{142 + width:.1f}" y="{top + 17 * offset + 11}">{value * factor:.3g} {unit}</text>')
    return Markup("".join([*parts, "</svg>"]))


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between the bounds, about `wanted` of them."""
    span = high - low
    if not span > 0:
        return [low]
    step = 10 ** math.floor(math.log10(span / wanted))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= wanted)
    first = math.ceil(low / step - 1e-9)
    return [round(step * n, 12) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _runs(values: Sequence[float], logarithmic: bool) -> list[list[tuple[int, float]]]:
    """The stretches without a gap; of very many values, each stretch of places gives its least and its largest."""
    every = max(1, math.ceil(2 * len(values) / _MOST_POINTS))
    found: list[list[tuple[int, float]]] = [[]]
    gaps = any(not math.isfinite(v) for v in values)
    for start in range(0, len(values), every):
        part = [(i, v) for i, v in enumerate(values[start:start + every], start) if math.isfinite(v)]
        if logarithmic:
            part = [(i, math.log10(v)) for i, v in part if v > 0]
        # A quantity that is taken now and then is one line all the same.
        if not part and not gaps:
            found.append([])
        least, most = (min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])) if part else (None, None)
        if least is not None and most is not None:
            found[-1] += sorted({least, most})
    return [run for run in found if run]
