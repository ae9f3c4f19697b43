"""Calls as conversion writes them, compiled: what runs operator by operator and not under `ms.jit` though the equivalent itself does.

    python benchmarks/compiled_text.py --out FILE [NAME…]

For every function with samples: a function of its tensors that calls it (arguments by place, and by keyword), converted; its text runs both ways and must compute the same. Evidence of graph mode is
that of the knowledge's functions; this is that of the text, whose keywords are those of MindSpore's signatures.
"""

from __future__ import annotations

import importlib.util
import linecache
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from each_function import each_function
from worker_process import answers_alone, serve

SAMPLES = 5
MOST_SECONDS = 240


def worker() -> None:
    """Answer keys on stdin."""
    import random

    import mindspore as ms
    import torch
    from call_forms_program import Program, Unwritable
    from call_forms_worker import _main, _signature

    from mindport import catalog
    from mindport.convert import convert, write
    from mindport.evidence import (
        compare,
        own,  # noqa: F401  registers our own samples
    )
    from mindport.evidence.bridge import tensor_to_torch
    from mindport.evidence.samples import plain
    from mindport.source.discover import discover

    answers = answers_alone()
    entries = {entry.key: entry for entry in catalog.load().entries}
    folder = Path(tempfile.mkdtemp())

    def text_of(name: str, sample: Any, parameters: list[str], named: bool) -> tuple[str, Program]:
        program = Program(random.Random(0))
        first, *rest = [program.value(a) for a in sample.args]
        is_method = name.startswith("torch.Tensor.")
        after = parameters[1:] if parameters else []
        given = [f"{k}={t}" if named and n < len(after) and all(j < len(after) for j in range(n, len(rest))) else t for n, (k, t) in enumerate(zip([*after, *[""] * len(rest)], rest, strict=False))]
        given += [f"{k}={program.value(v)}" for k, v in sample.kwargs.items()]
        call = f"{first}.{name.rpartition('.')[2]}({', '.join(given)})" if is_method else f"{name}({', '.join([first, *given])})"
        names = [n for n, _ in program.tensors]
        lines = [*program.head, "", "", f"def compute({', '.join(names)}):", f"    return {call}", "", "", f"outcome = compute({', '.join(names)})", ""]
        return "\n".join(lines), program

    def rows(entry: catalog.Entry) -> Iterator[dict[str, Any]]:
        parameters, _ = _signature(entry)
        for name in entry.names:
            if name.endswith("_"):
                continue
            made = [s for s in plain(name, entry.opinfo, _main(name, entry.opinfo), SAMPLES) if s.args and isinstance(s.args[0], torch.Tensor)]
            for sample in made:
                for named in (False, True) if parameters and len(sample.args) > 1 else (False,):
                    try:
                        text, program = text_of(name, sample, parameters, named)
                    except Unwritable:
                        continue
                    yield {"begin": text}
                    yield {"key": entry.key, "call": text[text.index("    return") + 11 :].split("\n")[0][:200], **verdict(text, program)}

    def torch_side(value: Any) -> Any:
        if isinstance(value, ms.Tensor):
            return tensor_to_torch(value)
        return type(value)(torch_side(one) for one in value) if type(value) in (list, tuple) else tuple(torch_side(one) for one in value) if isinstance(value, tuple) else value

    def verdict(text: str, program: Program) -> dict[str, Any]:
        import numpy as np

        before, after = folder / "before", folder / "after"
        for side in (before, after):
            shutil.rmtree(side, ignore_errors=True)
        before.mkdir()
        (before / "program.py").write_text(text, encoding="utf-8")
        conversion = convert(discover(before))
        write(conversion, after)
        if program.arrays:
            np.savez(after / "data.npz", **program.arrays)
        here = os.getcwd()
        os.chdir(after)
        sys.path.insert(0, str(after))
        try:
            spec = importlib.util.spec_from_file_location("program", after / "program.py")
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            linecache.clearcache()
            sys.modules["program"] = module  # the compiler looks names up there
            try:
                spec.loader.exec_module(module)
            except Exception as error:
                return {"verdict": "eager raises", "message": f"{type(error).__name__}: {error}"[:160]}
            given = [getattr(module, n) for n, _ in program.tensors]
            try:
                compiled = ms.jit(module.compute)(*given)
                found = compare.difference(torch_side(module.outcome), compiled, loosened=3.0)
            except Exception as error:
                shown = "\n".join(line for line in (after / "program.py").read_text().split("\n") if "return " in line)
                return {"verdict": "graph raises", "message": f"{type(error).__name__}: {' '.join(str(error).split())[:160]} [{shown.strip()[:160]}]"}
            return {"verdict": "graph differs" if found else "agrees", "message": found}
        finally:
            os.chdir(here)
            sys.path.remove(str(after))
            sys.modules.pop("torch_equivalents", None)

    serve(answers, lambda job: rows(entries[job["key"]]))


if __name__ == "__main__":
    if "--worker" in sys.argv:
        worker()
    else:
        each_function("compiled_text.py", __doc__, MOST_SECONDS, ("graph raises", "graph differs"))
