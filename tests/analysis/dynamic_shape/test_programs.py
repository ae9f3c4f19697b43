"""The programs with known answers: every finding where it is expected, and nowhere else."""

from __future__ import annotations

import pytest

from tests.analysis.dynamic_shape.reading import programs
from tests.analysis.dynamic_shape.running import found_in

STEMS = ("values", "sizes", "inputs", "flow")
#: Sets that were written after the analyser; each says what was found at first contact.
LATER = ("later", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twentyfirst", "twentysecond", "twentythird", "twentyfourth", "twentyfifth", "twentysixth", "ways", "twentyseventh", "twentyeighth", "twentyninth", "thirtieth", "thirtyfirst", "thirtysecond", "thirtythird", "thirtyfourth", "thirtyfifth", "thirtysixth", "thirtyseventh", "thirtyeighth", "thirtyninth", "fortieth", "fortyfirst", "fortysecond", "fortythird", "fortyfourth", "fortyfifth", "fortysixth", "fortyseventh", "fortyeighth", "fortyninth", "fiftieth", "fiftyfirst", "fiftysecond", "fiftythird", "fiftyfourth", "fiftyfifth", "fiftysixth", "fiftyseventh", "fiftyeighth", "fiftyninth", "sixtieth", "sixtyfirst", "sixtysecond", "sixtythird", "false", "files", "between", "public", "idioms", "contact", "untyped")
LEAST = 0.95


@pytest.mark.parametrize("stems", [STEMS, *((stem,) for stem in LATER)], ids=["written before the analyser", *LATER])
def test_precision_and_recall(stems: tuple[str, ...]) -> None:
    right = extra = missed = 0
    report = []
    for program in programs(*stems):
        found = frozenset(one for one in found_in(program.files) if one[:2] not in program.open)
        right += len(found & program.expected)
        extra += len(found - program.expected)
        missed += len(program.expected - found)
        if found != program.expected:
            report.append(f"{program.name}: extra {sorted(found - program.expected)}, missed {sorted(program.expected - found)}")
    assert right / (right + extra) >= LEAST and right / (right + missed) >= LEAST, "\n".join(report)


def test_there_are_enough_and_half_of_them_are_traps() -> None:
    found = programs(*STEMS)
    traps = [program for program in found if not program.expected]
    assert len(found) >= 60
    assert 0.4 <= len(traps) / len(found) <= 0.6
