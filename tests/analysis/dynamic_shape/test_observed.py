"""The answers of the sets that have drivers are what torch shows: selections and sizes change, and no line of a trap does."""

from __future__ import annotations

import pytest

from tests.analysis.dynamic_shape.observing import changing_lines
from tests.analysis.dynamic_shape.reading import Program, programs

SETS = ("twentysixth", "twentyseventh", "twentyeighth", "twentyninth", "thirtieth", "thirtyfirst", "thirtysecond", "thirtythird", "thirtyfourth", "thirtyfifth", "thirtysixth", "thirtyseventh", "thirtyeighth", "thirtyninth", "fortieth", "fortyfirst", "fortysecond", "fortythird", "fortyfourth", "fortyfifth", "fortysixth", "fortyseventh", "fortyeighth", "fortyninth", "fiftieth", "fiftyfirst", "fiftysecond", "fiftythird", "fiftyfourth", "fiftyfifth", "fiftysixth", "fiftyseventh", "fiftyeighth", "fiftyninth", "sixtieth", "sixtyfirst", "sixtysecond", "sixtythird", "false")
DRIVEN = [program for program in programs(*SETS) if program.driver]
#: Control flow shows in how often a line runs, not in a line's own shapes.
OF_SHAPES = ("MP201", "MP202", "MP204")
#: Parts of samples that are written into a tensor of one size change, and nothing that a batch holds does.
WRITTEN_INTO_ONE_SIZE = ("trap molecules padded to the largest of the settings", "trap graph batches of a dense table", "trap batch of texts of a class constant")
#: Factories that torch's modes do not see, rays that all end together, pictures with as many labels for each seed, what grows alike in every call.
NOT_SEEN = (
    "time series collated with their own lengths by a class with settings", "captions of an image with as many words as they have",
    "marching of rays until all have hit", "masks of a batch as lists of pixels",
    "tokens of a draft that a larger model accepts", "session as a graph of its distinct items", "lanes of a road picture, in points", "collation that pads arrays of several fields", "hidden states between two marks",
    "non-maximum suppression written out by hand", "beam that finished sentences leave", "code snippets as lists of identifiers", "songs as piano rolls of their own lengths", "logits that nucleus sampling keeps",
    "satellite crops whose side is drawn",
)  # fmt: skip


@pytest.mark.frameworks
@pytest.mark.parametrize("program", DRIVEN, ids=lambda program: program.name)
def test_answers_are_what_torch_shows(program: Program) -> None:
    title = program.name.partition(": ")[2]
    changing = changing_lines(program)
    expected = {line for _, line, code in program.expected if code in OF_SHAPES}
    if not program.expected and not (program.open and not title.startswith("trap ")):  # lines that are left are open
        assert not changing or title in WRITTEN_INTO_ONE_SIZE
    elif title not in NOT_SEEN:
        assert expected <= changing
