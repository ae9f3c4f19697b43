"""A picture of a network: its parts as boxes with arrows, and below them which class builds which."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mindport.analysis.answers import Picture
from mindport.analysis.network_parts import Part
from mindport.analysis.network_tree import Network, NetworkTree

_BOX, _GAP, _HIGH, _LINE = 168, 34, 58, 17
_A_ROW = 5
_MOST_LINES = 60


def picture(tree: NetworkTree, root: Network, parts: Sequence[Part]) -> Picture:
    """SVG with presentation attributes only: the page's policy forbids inline style."""
    drawn: list[str] = []
    columns = min(max(len(parts), 1), _A_ROW)
    width = max(columns * (_BOX + _GAP) + 20, 640)
    for index, part in enumerate(parts):
        column, row = index % _A_ROW, index // _A_ROW
        x, y = 10 + column * (_BOX + _GAP), 10 + row * (_HIGH + 24)
        drawn.append(
            f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_HIGH}" rx="5" fill="none" stroke="currentColor"/>'
            f'<text x="{x + 9}" y="{y + 21}" fill="currentColor" font-size="12" font-weight="bold">{_cut(part.role, 20)}</text>'
            f'<text x="{x + 9}" y="{y + 37}" fill="currentColor" font-size="12">{_cut(part.kind, 21)}</text>'
            f'<text x="{x + 9}" y="{y + 51}" fill="currentColor" font-size="10" opacity="0.7">{_cut(_where(part), 27)}</text>'
        )
        if column and part.role != parts[index - 1].role:
            middle = y + _HIGH / 2
            drawn.append(
                f'<path d="M{x - _GAP + 3} {middle}H{x - 4}m-7 -5l7 5l-7 5" fill="none" stroke="currentColor"/>'
            )
    top = 10 + ((len(parts) + _A_ROW - 1) // _A_ROW) * (_HIGH + 24) + 14
    lines = _lines(tree, root)
    for index, (depth, text) in enumerate(lines):
        y = top + index * _LINE
        if depth:
            x = 10 + depth * 18
            drawn.append(f'<path d="M{x - 12} {y - 13}V{y - 4}H{x - 3}" fill="none" stroke="currentColor" opacity="0.5"/>')
        drawn.append(f'<text x="{10 + depth * 18}" y="{y}" fill="currentColor" font-size="12">{_cut(text, 88)}</text>')
    height = top + len(lines) * _LINE + 6
    svg = f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" xmlns="http://www.w3.org/2000/svg">{"".join(drawn)}</svg>'
    said = ", then ".join(f"{part.role} {part.kind}" for part in parts) or "no parts with a role"
    return Picture(f"Structure of {root.name}", svg, escape(f"{root.name}: {said}"))


def _lines(tree: NetworkTree, root: Network) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []

    def walk(network: Network, label: str, depth: int, above: tuple[object, ...]) -> None:
        if len(found) >= _MOST_LINES:
            return
        found.append((depth, label))
        if network.node in above or depth > 4:
            return
        grouped: dict[str, list[str]] = {}
        for child in network.children:
            grouped.setdefault(child.kind, []).append(child.attribute)
        targets = {child.kind: child.cls for child in network.children}
        for kind, attributes in grouped.items():
            target = targets[kind]
            names = ", ".join(dict.fromkeys(a for a in attributes if a))
            if target is not None and target in tree.networks:
                walk(tree.networks[target], f"{names}: {kind}" if names else kind, depth + 1, (*above, network.node))

    walk(root, root.name, 0, ())
    return found


def _cut(text: str, most: int) -> str:
    return escape(text if len(text) <= most else text[: most - 1] + "…")


def _where(part: Part) -> str:
    return f"{part.defined.path.rpartition('/')[2]}:{part.defined.line}"
