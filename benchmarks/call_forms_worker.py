"""Runs drawn programs of one entry on both sides, for call_forms.py.

    python call_forms_worker.py FOLDER    # jobs on stdin: {"key", "seed", "count"}; a line for each program, then "done"
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import random
import shutil
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from call_forms_layers import layer_program
from call_forms_program import Unwritable, attribute_program, function_program
from call_forms_real import DTYPES as OF_ANOTHER_DTYPE
from call_forms_real import MEMORY, NUMBERS, OTHERS, changed
from worker_process import answers_alone

from mindport import catalog
from mindport.convert import convert, write
from mindport.evidence import (
    compare,
    own,  # noqa: F401  registers our own samples
)
from mindport.evidence.kernels import not_for_this_dtype, not_run_here
from mindport.evidence.layer_samples import layer_samples
from mindport.evidence.samples import UNINITIALIZED, copied, plain, resolve
from mindport.evidence.scenarios import SCENARIOS
from mindport.source.discover import discover

#: Samples that the forms are drawn for.
SAMPLES = 12
#: How many of the programs take a gradient.
GRADIENTS = 0.4
DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64)


def main() -> None:
    """Answer jobs until stdin ends."""
    folder = Path(sys.argv[1])
    answers = answers_alone()
    entries = {entry.key: entry for entry in catalog.load().entries}
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        for row in rows(entries[job["key"]], job, folder, lambda row: print(json.dumps(row), file=answers, flush=True)):
            print(json.dumps(row), file=answers, flush=True)
        print("done", file=answers, flush=True)


def rows(entry: catalog.Entry, job: dict[str, Any], folder: Path, begin: Any) -> Any:
    """One row a program: its text, forms and verdict."""
    names = [n for n in entry.names if n not in SCENARIOS]
    made = {n: layer_samples(n, SAMPLES) if entry.kind == "layer" else plain(n, entry.opinfo, _main(n, entry.opinfo), SAMPLES) for n in names} if names else {}
    names = [n for n in names if made[n]]
    if not names or entry.random:
        return
    parameters, defaults = _signature(entry)
    for number in range(job["count"]):
        if "only" in job and number != job["only"]:
            continue
        draw = random.Random(f"{entry.key} {job['seed']} {number}")
        name = draw.choice(names)
        pool = made[name]
        forms_of = ""
        if entry.kind != "layer" and draw.random() < OF_ANOTHER_DTYPE:
            dtype = draw.choice(OTHERS)
            pool = plain(name, entry.opinfo, dtype, SAMPLES) or pool
            forms_of = f", {dtype}"
        sample = draw.choice(pool)
        remakes = draw.random() < MEMORY
        torch.manual_seed(1)
        try:
            fields, count = _shape_of_result(entry, name, sample)
            if draw.random() < NUMBERS and entry.kind != "attribute":
                part = sample.build if entry.kind == "layer" else sample
                part, word = changed(part, parameters, draw)
                sample = replace(sample, build=part) if entry.kind == "layer" else part
                forms_of += f", {word}" if word else ""
            if entry.kind == "layer":
                text, program, forms = layer_program(name, sample, parameters, defaults, draw, draw.random() < GRADIENTS, fields, count, remakes)
            elif entry.kind == "attribute":
                text, program, forms = attribute_program(name, sample, draw, remakes)
            else:
                text, program, forms = function_program(name, sample, parameters, defaults, draw, draw.random() < GRADIENTS, fields, count, remakes)
        except Unwritable:
            continue
        except Exception as error:  # torch refuses the sample
            _ = error
            continue
        forms += forms_of
        begin({"begin": number, "forms": forms, "text": text, "name": name})
        verdict, message, findings, after = judged(name, text, program.arrays, folder)
        yield {"number": number, "name": name, "forms": forms, "verdict": verdict, "message": message, "findings": findings, "text": text, "after": after}


def _main(name: str, opinfo: str | None) -> torch.dtype:
    return next((d for d in DTYPES if plain(name, opinfo, d, 1)), torch.float32)


def _signature(entry: catalog.Entry) -> tuple[list[str], dict[str, str]]:
    a = entry.arguments
    if a is None or a.vararg or a.kwarg:
        return [], {}
    order = [x.arg for x in (*a.posonlyargs, *a.args)]
    values = {n: ast.unparse(d) for n, d in zip(order[::-1], a.defaults[::-1], strict=False)}
    values |= {x.arg: ast.unparse(d) for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
    return order, {n: t for n, t in values.items() if n not in ("out", "generator") and "ms." not in t and _is_literal(t)}


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except ValueError:
        return False
    return True


def _shape_of_result(entry: catalog.Entry, name: str, sample: Any) -> tuple[list[str], int]:
    """(the names of the result's fields, how many values it has where it is a tuple or list, else 0)."""
    if entry.kind == "layer":
        return [], 2 if name.rpartition(".")[2] in ("LSTM", "GRU", "RNN", "MultiheadAttention") else 0
    given = copied(sample)
    if entry.kind == "attribute":
        return [], 0
    result = resolve(name)(*given.args, **given.kwargs)
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        fields = [f for f in dir(type(result)) if not f.startswith(("_", "n_")) and f not in ("count", "index")] if "return_types" in type(result).__module__ else []
        return fields if len(fields) == len(result) else [], len(result) if all(isinstance(r, torch.Tensor) for r in result) else 0
    return [], 0


def judged(name: str, text: str, arrays: dict[str, Any], folder: Path) -> tuple[str, str, list[str], str]:
    """(verdict, message, findings, the converted text)."""
    before, after = folder / "before", folder / "after"
    for side in (before, after):
        shutil.rmtree(side, ignore_errors=True)
    before.mkdir(parents=True)
    files = files_of(text)
    for file, part in files.items():
        (before / file).write_text(part, encoding="utf-8")
    if arrays:
        np.savez(before / "data.npz", **arrays)
    torch.manual_seed(1)
    try:
        theirs = _run(before)
    except BaseException as error:
        return "torch raises", f"{type(error).__name__}: {error}"[:200], [], ""
    try:
        conversion = convert(discover(before))
    except Exception as error:
        return "conversion fails", f"{type(error).__name__}: {error} {traceback.format_exc()[-400:]}", [], ""
    findings = [f"{f.code} {f.risk}{' rare' if f.rare else ''}: {f.message}" for f in conversion.findings if f.risk != "style"]
    told = [f for f in findings if " rare:" not in f]
    write(conversion, after)
    converted = "".join(f"# file: {file}\n" * (len(files) > 1) + (after / file).read_text(encoding="utf-8") for file in files)
    if arrays and not (after / "data.npz").exists():
        np.savez(after / "data.npz", **arrays)
    try:
        ours = _run(after)
    except BaseException as error:
        message = f"{type(error).__name__}: {' '.join(str(error).split())}"[:400]
        if not_run_here(str(error)) or not_for_this_dtype(str(error)):
            return "not run here", message, findings, converted
        if told:
            return "told", message, findings, converted
        if isinstance(error, (NotImplementedError, ImportError)):
            return "refused", message, findings, converted
        where = traceback.extract_tb(error.__traceback__)
        own_frames = [f for f in where if Path(f.filename).name in (*files, "torch_equivalents.py")]
        message += f" [{' < '.join(f'{Path(f.filename).name}:{f.lineno} {f.line}' for f in own_frames[::-1][:2])}]"
        return "raises", message, findings, converted
    try:
        found = compare.difference(theirs, ours, values=name not in UNINITIALIZED, loosened=10.0 if ".grad" in text else 3.0)
    except Exception as error:
        found = f"comparison: {type(error).__name__}: {error}"
    if not found:
        return "agrees", "", [], ""
    torch.manual_seed(2)
    if compare.torch_differs(theirs, _run(before)):
        return "torch draws", found, findings, converted
    return ("told, differs" if told else "differs"), found, findings, converted


def files_of(text: str) -> dict[str, str]:
    """The files of a program, by name: a line ``# file: name.py`` begins one; without any it is program.py alone."""
    first, *rest = text.split("# file: ")
    return {name: part for name, _, part in (one.partition("\n") for one in rest)} if rest and not first else {"program.py": text}


def _run(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("program", folder / "program.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    sys.modules["program"] = module
    here = os.getcwd()
    os.chdir(folder)
    try:
        spec.loader.exec_module(module)
    finally:
        os.chdir(here)
        sys.path.remove(str(folder))
        for file in folder.glob("*.py"):
            sys.modules.pop(file.stem, None)
    return module.__dict__["outcome"]


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
