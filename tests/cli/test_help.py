"""Help for every command with an example, the page about it, and a quick start."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.commands import Ran, commands
from tests.project.layout import ROOT

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = commands()


def options(command: Any) -> set[str]:
    """The long options of a command."""
    return {name for parameter in command.params for name in parameter.opts if name.startswith("--")} - {"--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_parses(name: str) -> None:
    ran = Ran(*name.split(), "--help")
    assert ran.code == 0
    examples = re.findall(r"Example: mindport (.+)", ran.out)
    assert examples
    for example in examples:
        assert example.startswith(name)
        words = shlex.split(example.removeprefix(name))
        # What follows a lone -- is another program's.
        own = words[: words.index("--")] if "--" in words else words
        assert {word for word in own if word.startswith("--")} <= options(COMMANDS[name])
        COMMANDS[name].make_context(name, words)  # raises a usage error where it does not parse


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_for_programs_speak_json(name: str) -> None:
    if name == "targets build":
        return  # it writes a table and has nothing else to tell
    assert "--format" in options(COMMANDS[name])
    assert re.search(r"--format.{0,20}console\|json", Ran(*name.split(), "--help").out)


def test_the_page_names_every_command_and_option_and_no_other() -> None:
    for name, command in COMMANDS.items():
        assert name.split()[0] in PAGE and name.split()[-1] in PAGE
        for option in options(command):
            assert f"`{option}`" in PAGE, (name, option)
    known = set().union(*(options(command) for command in COMMANDS.values())) | {"--help", "--version"}
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= known


def test_the_page_explains_every_verdict() -> None:
    from mindport.analysis.api import VERDICTS

    for verdict, meaning in VERDICTS.items():
        assert f"| {verdict} | {meaning} |" in PAGE


def test_help_loads_typer_and_nothing_else() -> None:
    code = (
        "import sys; sys.argv = ['mindport', '--help']\nfrom mindport.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'rich', 'msgspec', 'jinja2', 'torch', 'mindspore', 'numpy'} & {name.partition('.')[0] for name in sys.modules}\n"
        "ours = [n for n in sys.modules if n.startswith('mindport.') and not n.startswith('mindport.cli')]\n"
        "print(sorted(heavy), ours, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stderr.strip() == "[] []" and "Usage: mindport" in ran.stdout


def test_module_and_version() -> None:
    from mindport import __version__

    ran = subprocess.run([sys.executable, "-m", "mindport", "--version"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, f"mindport {__version__}\n")


def test_wrong_usage_ends_with_two() -> None:
    for arguments in (["nonsense"], ["scan"], ["scan", "--format", "odt", "."], ["convert"], ["targets", "diff", "2.10.0"]):
        ran = Ran(*arguments)
        assert ran.code == 2 and ran.err and "Traceback" not in ran.err
