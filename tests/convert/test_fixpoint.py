"""Names that hang on each other: each is looked at once, and what one of a circle finds all of it find."""

from __future__ import annotations

import ast

import pytest

from mindport.convert.training.fixpoint import Fixpoint

PLACE = ast.Pass()


def answers(asks: dict[str, str], first: str) -> tuple[bool, int]:
    """Whether anything is found from `first`, where each name asks those in its text, and ``!`` is a find; how many questions that took."""
    names, count = Fixpoint(), 0

    def ask(name: str) -> ast.AST | None:
        def question() -> ast.AST | None:
            nonlocal count
            count += 1
            return next((found for other in asks[name] if (found := PLACE if other == "!" else ask(other)) is not None), None)

        return names.ask(name, question)

    return ask(first) is not None, count


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ({"x": "y", "y": "x"}, False),
        ({"x": "y", "y": "x!"}, True),
        ({"x": "yz", "y": "z", "z": "yx"}, False),
        ({"x": "yz", "y": "x", "z": "!"}, True),
        ({"x": "y", "y": "zw", "z": "y", "w": "!"}, True),
    ],
)
def test_circles_find_what_one_of_them_finds(asks: dict[str, str], found: bool) -> None:
    assert all(answers(asks, first)[0] is found for first in asks if first in "xy")


def test_every_name_is_asked_once_however_many_ways_lead_to_it() -> None:
    """Way by way, twenty names that all ask each other cost more questions than a machine answers in a day."""
    everyone = "abcdefghijklmnopqrst"
    assert answers(dict.fromkeys(everyone, everyone), "a") == (False, len(everyone))


def test_what_was_taken_for_nothing_is_asked_again() -> None:
    """`y` is answered while `x` is still open; `x` does find something, though nobody who asked `z` is told of it."""
    names = Fixpoint()
    seen = []

    def z() -> None:
        names.ask("x", lambda: names.ask("y", y) and None or PLACE)
        seen.append(names.ask("y", y) is not None)

    def y() -> ast.AST | None:
        return names.ask("x", lambda: PLACE)

    names.ask("z", z)
    assert seen[-1]
