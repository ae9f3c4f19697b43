"""What configuration files, scripts and documents set: YAML, JSON, TOML, gin, plain lists, and the command lines of shell scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.recipe.blocks import flow_entries
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.settings import OWNERS, Setting
from mindport.analysis.subject import MOST_QUOTED, Subject

#: ``key: value``, ``"key": value,`` and ``key = value`` of YAML, JSON and TOML: one scalar or short list a line.
_LINE = re.compile(r"""^\s*(?:-\s+)?["']?(?P<key>[A-Za-z_][\w.\-]*)["']?\s*[:=]\s*(?P<value>[^#\n{]+?)\s*,?\s*(?:#.*|\s//.*)?$""")
#: ``eval:`` and ``"eval": {`` above what is indented under them, and the sections that a trainer's own settings stand in.
_SECTION = re.compile(r"""^(?P<indent>\s*)["']?(?P<key>[A-Za-z_][\w\-]*)["']?\s*:\s*\{?\s*(?:#.*|//.*)?$""")
#: ``schedule: {sched: cosine, epochs: 30}``: a section in one line.
_FLOW = re.compile(r"""^\s*(?:-\s+)?["']?(?P<key>[A-Za-z_][\w\-]*)["']?\s*:\s*\{(?P<inner>[^{}]*)\}\s*,?\s*(?:#.*|//.*)?$""")
_CONFIGURATION = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".conf", ".gin", ".txt")

#: What a command line in a script or document gives, and a script's own variables: numbers, and names of schedules.
_OPTION = re.compile(r"--([A-Za-z][\w-]*)[= ]+([-+]?\d[\d.]*(?:e[-+]?\d+)?(?: +[-+]?\d[\d.]*(?:e[-+]?\d+)?)*|\"?(?:cosine|linear|constant|polynomial)\w*\"?|(?:adam|radam|nadam|sgd|rmsprop|adagrad|adadelta|adafactor|lamb|lars|lion)\w*)(?![\w.])", re.IGNORECASE)
#: A switch without a value: ``--bf16``. The Python file that a command runs: what follows it are its options.
_SWITCH = re.compile(r"--([A-Za-z]\w*)(?=\s*(?:\\\s*)?$|\s+--)")
_COMMAND = re.compile(r"([\w./-]+\.py)\b")
_VARIABLE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)=([-+]?\d[\d.]*(?:e[-+]?\d+)?)\s*(?:#.*)?$")


#: ``--batch_size $BS`` and what the script says of it: a number, or how it is computed. Hydra's overrides: ``shift=8000``.
_HELD = re.compile(r"--([A-Za-z][\w-]*)[= ]+\"?\$\{?(\w+)\}?")
_ASSIGNED = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)=([-+]?\d[\d.]*(?:e[-+]?\d+)?|\$\((?:expr |\()[^\n]*\))\s*(?:#.*)?$", re.M)
#: ``for seed in 1 2 3; do``, ``for m in $(seq 0 2)``.
_LOOP = re.compile(r"^\s*for\s+(\w+)\s+in\s+([^;\n]+)", re.M)
_OVERRIDE = re.compile(r"(?<![\w-])\+{0,2}([A-Za-z][\w.]*)=([-+]?\d[\d.]*(?:e[-+]?\d+)?|[Tt]rue|[Ff]alse)(?=[\s\\]|$)")
#: A number of a list over several lines.
_ITEM = re.compile(r"^\s*-\s+([-+]?\d[\d.]*(?:e[-+]?\d+)?)\s*(?:#.*)?$")
#: Configurations that try a program out.
_TRIES = re.compile(r"(^|[/_])(debug\w*|smoke\w*|dry_?run|toy|tests?)[/_.]")
#: Plain lists of ``key = value`` that programs read as their settings.
_LISTED = re.compile(r"(^|/)\w*conf(ig)?s?\w*/[^/]*$|conf(ig)?\w*\.txt$")


def _of_commands(subject: Subject) -> Iterator[Setting]:
    for path, text in subject.texts(".sh", ".md", ".rst"):
        script, evaluating, continued, program = path.endswith(".sh"), False, False, ""
        variables = {name: value.strip() for name, value in _ASSIGNED.findall(text)} if script else {}
        variables |= {name: f"({', '.join(numbers)})" for name, listed in _LOOP.findall(text) if (numbers := _counted(listed))} if script else {}
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > 1000 or line.lstrip().startswith("#"):
                continue
            if command := _COMMAND.search(line):
                program = command[1].rpartition("/")[2]
                evaluating = file_evaluates(command[1]) or subject.programs.command_trains_nothing(command[1])
            found = _OPTION.findall(line) + (_VARIABLE.findall(line) + [(name, "True") for name in _SWITCH.findall(line)] if script else [])
            if script:
                found += [(name, variables[held]) for name, held in _HELD.findall(line) if held in variables]
                if continued or command:
                    found += [(name.rpartition(".")[2], value) for name, value in _OVERRIDE.findall(line)]
                continued = line.rstrip().endswith("\\") and bool(continued or command)
            for name, value in found:
                value = f"({', '.join(value.split())})" if value[-1:].isdigit() and " " in value else value  # --betas 0.9 0.95
                yield Setting(name, value, "script" if script else "document", path, Quote(path, number, line.strip()[:MOST_QUOTED]), of_evaluation=evaluating or evaluates(path), program=program)


def _counted(listed: str) -> list[str]:
    """The numbers of a script's loop; none where it goes through something else."""
    if found := re.fullmatch(r"\$\(seq (\d+) (\d+)\)|\{(\d+)\.\.(\d+)\}", listed.strip()):
        first, last = (int(each) for each in found.groups() if each is not None)
        return [str(each) for each in range(first, min(last, first + 9) + 1)]
    words = listed.split()
    return words if words and all(re.fullmatch(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", word) for word in words) else []


def _untrained(subject: Subject) -> frozenset[str]:
    """Folders, other than the root, whose files define networks and train none, in a project that trains elsewhere."""
    networks, training = set(), set()
    for file, known in subject.facts.items():
        folder = str(file.relative.parent)
        if any(torch_names.MODULE in ancestors for ancestors in known.ancestors.values()):
            networks.add(folder)
        if any(use.name.startswith(torch_names.TRAINING) for use in known.uses):
            training.add(folder)
    return frozenset(networks - training - {"."}) if training else frozenset()


def of_files(subject: Subject) -> Iterator[Setting]:
    """Every entry of configuration files, and what scripts and documents give on command lines."""
    yield from _of_commands(subject)
    parts = _untrained(subject)
    for path, text in subject.texts(*_CONFIGURATION):
        sections: list[tuple[int, str]] = []
        items: list[str] = []  # of a list over several lines, under the last section
        listed: Quote | None = None
        if path.rpartition("/")[2] in ("setup.cfg", "package-lock.json", "pyproject.toml", "tox.ini"):
            continue
        if path.endswith(".gin"):
            yield from _of_gin(path, text)
            continue
        if path.endswith(".txt") and not _LISTED.search(path):
            continue
        empty: tuple[int, Setting] | None = None  # ``manual_seed:`` of YAML, with nothing under it
        for number, line in enumerate([*text.splitlines(), "---"], 1):  # the end shows that nothing more stands under the last line
            if empty is not None and line.strip() and not line.lstrip().startswith("#"):
                if len(line) - len(line.lstrip()) <= empty[0] and not line.lstrip().startswith("- "):
                    yield empty[1]
                empty = None
            if item := _ITEM.match(line):
                items.append(item[1])
                continue
            if items and sections and listed is not None:
                yield Setting(sections[-1][1], f"[{', '.join(items)}]", "file", path, listed, path.rpartition("/")[0] in parts, file_evaluates(path), under=sections[-2][1] if len(sections) > 1 else "")
            items, listed = [], None
            if section := _SECTION.match(line):
                listed = Quote(path, number, line.strip()[:MOST_QUOTED])
                sections = [each for each in sections if each[0] < len(section["indent"])] + [(len(section["indent"]), section["key"])]
            if section and path.endswith((".yaml", ".yml")) and "{" not in line:
                above = [key for indent, key in sections[:-1]]
                held = Setting(section["key"], "null", "file", path, Quote(path, number, line.strip()[:MOST_QUOTED]), path.rpartition("/")[0] in parts, file_evaluates(path) or any(evaluates(key) for key in above), under=above[-1] if above else "")
                empty = len(section["indent"]), held
            if len(line) >= 300:
                continue
            found, flow = _LINE.match(line), _FLOW.match(line)
            entries = [(found["key"], found["value"].strip())] if found else [*flow_entries(flow["inner"])] or [(flow["key"], "{}")] if flow else []
            above = [key for indent, key in sections if indent < len(line) - len(line.lstrip())] + ([flow["key"]] if flow and flow["inner"].strip() else [])
            for name, value in entries:
                value = re.sub(r"^!!\w+\s+", "", value)  # !!float 3e-4
                if value and value not in ("|", ">"):
                    aside = file_evaluates(path) or any(evaluates(key) for key in above) or bool(_TRIES.search(path))
                    owner = above[-1] if above and above[-1] in OWNERS else path
                    yield Setting(name, value, "file", owner, Quote(path, number, line.strip()[:MOST_QUOTED]), path.rpartition("/")[0] in parts, aside, under=above[-1] if above else "")


def _of_gin(path: str, text: str) -> Iterator[Setting]:
    """Bindings of gin, ``rave.RAVE.latent = %LATENT`` and indented under ``rave.RAVE:``, with the file's macros put in."""
    macros = {found[1]: found[2].strip() for found in re.finditer(r"^([A-Z][A-Z0-9_]*)\s*=\s*([^#\n]+)", text, re.M)}
    owner = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"^([\w./]+):\s*(#.*)?$", line):
            owner = header[1].rpartition(".")[2]
        elif found := _LINE.match(line):
            name, value = found["key"], found["value"].strip()
            if value.startswith(("@", "[", "{")) or name.isupper():
                continue  # a class, a list over several lines, a macro that is put in where it is meant
            value = macros.get(value.lstrip("%"), value)
            holder = owner if line[:1].isspace() else name.rpartition(".")[0].rpartition(".")[2]
            yield Setting(name.rpartition(".")[2], value, "file", holder or path, Quote(path, number, line.strip()[:MOST_QUOTED]))
