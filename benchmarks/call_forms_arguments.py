"""How a drawn call's arguments reach it: as they stand, through variables, configurations, dictionaries, ``*``, ``**`` … For call_forms_program.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindport.evidence.samples import Sample

if TYPE_CHECKING:
    from call_forms_program import Program

PASSING = (
    "as they are", "variables", "configuration", "dictionary", "starred", "double starred", "keywords", "positional", "defaults", "shuffled",
    "walrus", "branches", "returned", "dataclass", "nested", "together", "parsed", "merged", "updated",
)  # fmt: skip


def named(sample: Sample, parameters: list[str]) -> list[tuple[str | None, Any]]:
    """The arguments with the names that the signature gives them; None where it gives none."""
    found: list[tuple[str | None, Any]] = []
    for number, value in enumerate(sample.args):
        found.append((parameters[number] if number < len(parameters) else None, value))
    return found + list(sample.kwargs.items())


def arguments(program: Program, sample: Sample, parameters: list[str], defaults: dict[str, str], first: int) -> tuple[list[str], list[str]]:
    """(lines that come before the call, the texts of its arguments), the first `first` arguments as they are."""
    way = program.draw.choice(PASSING)
    positional = [program.value(a) for a in sample.args]
    keywords = {k: program.value(v) for k, v in sample.kwargs.items()}
    before: list[str] = []
    is_plain = [not text.startswith("x") and "x" not in text for text in positional]
    match way:
        case "variables":
            for number, text in enumerate(positional):
                if number >= first and is_plain[number]:
                    before.append(f"a{number} = {text}")
                    positional[number] = f"a{number}"
            for key, text in keywords.items():
                before.append(f"{key}_ = {text}")
                keywords[key] = f"{key}_"
        case "configuration":
            kind = program.draw.choice(["class", "namespace"])
            fields = _plain(positional, keywords, is_plain, first)
            if fields and kind == "class":
                before += ["class Config:", *(f"    {k} = {t}" for k, t in fields.items()), "cfg = Config()"]
            elif fields:
                before += ["import argparse", f"cfg = argparse.Namespace({', '.join(f'{k}={t}' for k, t in fields.items())})"]
            positional = [f"cfg.a{n}" if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f"cfg.{k}" if k in fields else t for k, t in keywords.items()}
        case "dictionary":
            fields = {f"a{n}": text for n, text in enumerate(positional) if n >= first and is_plain[n]} | keywords
            before.append("options = {" + ", ".join(f"{k!r}: {t}" for k, t in fields.items()) + "}")
            positional = [f'options["a{n}"]' if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f'options["{k}"]' for k in keywords}
        case "starred" if len(positional) > first:
            rest = positional[first:]
            before.append(f"rest = ({', '.join(rest)}{',' if len(rest) == 1 else ''})")
            positional = [*positional[:first], "*rest"]
        case "double starred":
            given = named(sample, parameters)
            if all(name for name, _ in given[first:]) and given[first:]:
                texts = [*positional, *keywords.values()]
                before.append("more = {" + ", ".join(f"{n!r}: {t}" for (n, _), t in list(zip(given, texts, strict=True))[first:]) + "}")
                positional, keywords = positional[:first], {}
                return before, [*positional, "**more"]
        case "keywords" | "defaults" | "shuffled":
            given = named(sample, parameters)
            if all(name for name, _ in given):
                texts = [*positional, *keywords.values()]
                keep = first if program.draw.random() < 0.6 else min(first, 0)
                pairs = [(str(n), t) for (n, _), t in zip(given, texts, strict=True)]
                positional = texts[:keep]
                keywords = dict(pairs[keep:])
                if way == "defaults":
                    known = {n for n, _ in pairs}
                    keywords |= {k: t for k, t in defaults.items() if k not in known}
                elif way == "shuffled" or program.draw.random() < 0.5:
                    order = list(keywords.items())
                    program.draw.shuffle(order)
                    keywords = dict(order)
        case "positional":
            order = list(parameters)
            while keywords and len(positional) < len(order):
                name = order[len(positional)]
                if name in keywords:
                    positional.append(keywords.pop(name))
                elif name in defaults:
                    positional.append(defaults[name])
                else:
                    break
        case "walrus":
            positional = [f"(a{n} := {t})" if n >= first and is_plain[n] else t for n, t in enumerate(positional)]
        case "branches":
            before.append("ready = bool(1)")
            positional = [f"{t} if ready else None" if n >= first and is_plain[n] else t for n, t in enumerate(positional)]
            keywords = {k: f"({t} if ready else None)" for k, t in keywords.items()}
        case "returned":
            for n, text in enumerate(positional):
                if n >= first and is_plain[n]:
                    before += [f"def given{n}():", f"    return {text}", ""]
                    positional[n] = f"given{n}()"
        case "dataclass":
            fields = _plain(positional, keywords, is_plain, first)
            if fields:
                before += ["import dataclasses", "from typing import Any", "@dataclasses.dataclass", "class Config:", *(f"    {k}: Any = {_field(t)}" for k, t in fields.items()), "", "cfg = Config()"]
            positional = [f"cfg.a{n}" if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f"cfg.{k}" if k in fields else t for k, t in keywords.items()}
        case "nested":
            fields = _plain(positional, keywords, is_plain, first)
            before.append('cfg = {"model": {' + ", ".join(f"{k!r}: {t}" for k, t in fields.items()) + '}, "seed": 1}')
            positional = [f'cfg["model"]["a{n}"]' if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f'cfg["model"].get("{k}")' if k in fields else t for k, t in keywords.items()}
        case "together":
            fields = _plain(positional, keywords, is_plain, first)
            if fields:
                before.append(f"{', '.join(f'{k}_' for k in fields)}{',' if len(fields) == 1 else ''} = {', '.join(fields.values())}{',' if len(fields) == 1 else ''}")
            positional = [f"a{n}_" if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f"{k}_" if k in fields else t for k, t in keywords.items()}
        case "parsed":
            positional = [_parsed(t) if n >= first else t for n, t in enumerate(positional)]
            keywords = {k: _parsed(t) for k, t in keywords.items()}
        case "merged" | "updated" if keywords:
            items = list(keywords.items())
            if way == "merged":
                before += [f"base = dict({items[0][0]}={items[0][1]})", "options = {**base, " + ", ".join(f"{k!r}: {t}" for k, t in items[1:]) + "}"]
            else:
                before += ["options = {}", *(f"options[{k!r}] = {t}" for k, t in items[:1]), "options.update({" + ", ".join(f"{k!r}: {t}" for k, t in items[1:]) + "})"]
            return before, [*positional, "**options"]
    return before, [*positional, *(f"{k}={t}" for k, t in keywords.items())]


def _plain(positional: list[str], keywords: dict[str, str], is_plain: list[bool], first: int) -> dict[str, str]:
    """What may stand elsewhere, by the name that it gets there."""
    named = {k: t for k, t in keywords.items() if k.isidentifier() and k not in ("lambda", "from")}
    return {f"a{n}": text for n, text in enumerate(positional) if n >= first and is_plain[n]} | named


def _field(text: str) -> str:
    return f"dataclasses.field(default_factory=lambda: {text})" if text.startswith(("[", "{", "x")) else text


def _parsed(text: str) -> str:
    """A number or word as a command line brings it."""
    if text.lstrip("-").isdigit():
        return f'int("{text}")'
    if text.lstrip("-").replace(".", "", 1).isdigit():
        return f'float("{text}")'
    return text
