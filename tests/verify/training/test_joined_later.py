"""Parameters that join a model after its map of names was made (a new head for fine-tuning) are compared by how their names end."""

from __future__ import annotations

from typing import cast

import numpy as np

from mindport.verify.training.pair import Pair
from mindport.verify.training.recorded import Run
from mindport.weights.layout import Entry, Layout

NOWHERE = cast(Run, None)


def test_a_new_head() -> None:
    pair = Pair(NOWHERE, NOWHERE, [], {0: Layout({"body.weight": Entry("online.body.weight")})})
    body, head = np.ones(2), np.zeros((3, 2))
    torch = {"body.weight": body, "head.weight": head, "other.weight": head}
    mindspore = {"online.body.weight": body, "online.head.weight": head + 1, "target.head.weight": body}
    found = {name: theirs for name, _, theirs in pair.matched(torch, mindspore, "0/")}
    assert np.array_equal(found["head.weight"], head + 1) and found["other.weight"] is None  # type: ignore[arg-type]


def test_two_of_one_name_are_not_guessed() -> None:
    pair = Pair(NOWHERE, NOWHERE, [], {0: Layout({})})
    head = np.zeros((3, 2))
    [(_, _, theirs)] = pair.matched({"head.weight": head}, {"a.head.weight": head, "b.head.weight": head}, "0/")
    assert theirs is None
