"""The watch's names of parameters: each keeps its first one, and hands it to no other."""

from __future__ import annotations

from mindport.verify.training.names import Names


class Parameter:
    """Something with an identity."""


def test_a_parameter_keeps_its_first_name() -> None:
    names, one = Names(), Parameter()
    names.put(one, "0/weight")
    names.put(one, "1/body.weight")
    assert names.get(one) == "0/weight"
    assert one in names


def test_what_takes_the_place_of_one_that_is_gone_has_no_name() -> None:
    names = Names()
    for _ in range(50):  # an object that is made where another one was has that one's id
        one = Parameter()
        assert one not in names
        assert names.get(one, "optimizer 0/0.1") == "optimizer 0/0.1"
        names.put(one, "0/bias")
        del one
