"""What only ``if __name__ == "__main__":`` knows is read by nobody else: a view that is not read again may go stale."""

from __future__ import annotations

import ast

import pytest

from mindport.convert.aliasing.liveness import liveness

PROGRAM = """{functions}
{head}
    for it in range(3):
        values[it] = 0
        for t in range(4):
            upcoming = values[t]
            print(upcoming)
"""


@pytest.mark.parametrize(
    ("head", "functions", "read"),
    [
        ('if __name__ == "__main__":', "", False),
        ("if True:", "", True),  # an importer may read it
        ('if __name__ == "__main__":', "def show():\n    print(upcoming)", True),
        ('if __name__ == "__main__":', "upcoming = None", True),
    ],
)
def test_names_of_the_main_block_die_with_it(head: str, functions: str, read: bool) -> None:
    tree = ast.parse(PROGRAM.format(head=head, functions=functions))
    write = next(n for n in ast.walk(tree) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Subscript))
    assert liveness(tree).reads("upcoming", write) is read
