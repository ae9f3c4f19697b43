"""Elementwise functions over the whole range of float32, beside torch in float64: which lose digits, and where.

    python benchmarks/whole_range.py --out FILE [NAME…]

Every entry that is a function of one or two tensors and computes each element for itself is run at some 700 numbers (1e-44 to 3e38, both signs, the
surroundings of 0, 1, whole and half numbers, of the bounds of exponentials, NaN, infinities), its gradient too. A row says how far it is from torch in
float64, relative to it, and how far torch in float32 is; numbers below 1.2e-38 count as 0. Nothing here is judged by a tolerance of the evidence: these are
absolute where numbers are small, and lost digits pass them.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from worker_process import WorkerProcess, answers_alone, serve

#: Below this a float32 is denormal.
LEAST = 1.2e-38
#: From here on a row is worth reading.
OFF = 1e-5
MOST_SECONDS = 25


def numbers() -> np.ndarray:
    """Numbers at which formulas lose digits."""
    draw = np.random.default_rng(5)
    sizes = np.concatenate([np.logspace(-44, 38, 165) * draw.uniform(1, 2.1, 165), np.linspace(0.05, 12, 40), np.linspace(12, 110, 30)])
    near = [base + sign * step for base in (1.0, 2.0, 3.0, 0.5, 6.0) for step in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2) for sign in (1, -1)]
    plain = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0, 20.0, 88.0, 88.8, 103.0, np.pi, np.pi / 2, 1e-38, 1e-40]
    one_side = np.concatenate([sizes, near, plain])
    return np.unique(np.concatenate([one_side, -one_side]).astype(np.float32))


def worker() -> None:
    """Answer names on stdin."""
    import mindspore as ms
    import torch

    from mindport import catalog
    from mindport.evidence import own  # noqa: F401  registers our own samples
    from mindport.evidence.bridge import tensor_to_torch, to_mindspore
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.layer_samples import layer_samples
    from mindport.evidence.samples import Sample, plain, resolve, tensors

    answers = answers_alone()
    entries = {entry.key: entry for entry in catalog.load().entries}
    one = torch.from_numpy(numbers())
    few = one[:: max(1, one.numel() // 45)]
    two = tuple(t.reshape(-1).clone() for t in torch.meshgrid(few, few, indexing="ij"))

    def elementwise(theirs: Callable[..., Any], given: tuple[torch.Tensor, ...]) -> bool:
        try:
            result = theirs(*(t[:60].clone() for t in given))
            turned = theirs(*(t[:60].flip(0) for t in given))
            single = theirs(*(t[7:8].clone() for t in given))
        except Exception:
            return False
        is_one = isinstance(result, torch.Tensor) and result.shape == (60,) and result.is_floating_point() and isinstance(single, torch.Tensor) and single.shape == (1,)
        return is_one and torch.equal(result.flip(0).nan_to_num(), turned.nan_to_num()) and torch.allclose(result[7:8], single, 1e-5, 0.0, equal_nan=True)

    def calls(entry: catalog.Entry) -> Iterator[tuple[str, Callable[..., Any], Callable[..., Any], tuple[torch.Tensor, ...]]]:
        """(plain arguments in words, torch's function, ours, the tensors) of each way of calling that samples show."""
        target = declaration(entry).target
        if entry.kind == "layer":
            for sample in layer_samples(entry.name, 6):
                build = sample.build
                if len(sample.call.args) == 1 and not sample.call.kwargs and not tensors([build.args, build.kwargs]):
                    with contextlib.suppress(Exception):
                        theirs = resolve(entry.name)(*build.args, **build.kwargs)
                        ours = target(*to_mindspore(build.args), **to_mindspore(build.kwargs))
                        yield f"{build.args} {build.kwargs}", theirs, ours, (one,)
            return
        known = resolve(entry.name)
        for given in ((one,), two):
            with contextlib.suppress(TypeError, ValueError):
                inspect.signature(target).bind(*given)
                yield "", known, target, given
        for sample in plain(entry.name, entry.opinfo, torch.float32, 12):
            count = sum(isinstance(a, torch.Tensor) for a in sample.args)
            if (len(sample.args) == count and not sample.kwargs) or count not in (1, 2) or tensors([a for a in sample.args if not isinstance(a, torch.Tensor)]) or tensors(sample.kwargs):
                continue

            def placed(function: Callable[..., Any], convert: Callable[[Any], Any], sample: Sample = sample) -> Callable[..., Any]:
                def call(*given: Any) -> Any:
                    rest = iter(given)
                    return function(*[next(rest) if isinstance(a, torch.Tensor) else convert(a) for a in sample.args], **convert(sample.kwargs))

                return call

            words = f"{[a for a in sample.args if not isinstance(a, torch.Tensor)]} {sample.kwargs}"
            with contextlib.suppress(TypeError, ValueError):
                inspect.signature(target).bind(*sample.args, **sample.kwargs)
                yield words, placed(known, lambda v: v), placed(target, to_mindspore), (one,) if count == 1 else two

    def rows(entry: catalog.Entry) -> Iterator[dict[str, Any]]:
        seen: set[str] = set()
        for words, theirs, ours, given in calls(entry):
            if words in seen or len(seen) > 5 or not elementwise(theirs, given):
                continue
            seen.add(words)
            for order in ("values", "gradient"):
                yield {"name": entry.name, "key": entry.key, "with": words, "tensors": len(given), "of": order, **compared(ours, theirs, given, order == "gradient")}

    def compared(target: Callable[..., Any], theirs: Callable[..., Any], given: tuple[torch.Tensor, ...], graded: bool) -> dict[str, Any]:
        def of_torch(dtype: torch.dtype) -> list[torch.Tensor]:
            leaves = [t.clone().to(dtype).requires_grad_(graded) for t in given]
            result = theirs(*(leaf * 1 if graded else leaf for leaf in leaves))
            if not graded:
                return [result.detach()]
            return [g if g is not None else torch.zeros_like(x) for g, x in zip(torch.autograd.grad(result.sum(), leaves, allow_unused=True), leaves, strict=True)]

        try:
            right, float32 = of_torch(torch.float64), of_torch(torch.float32)
        except RuntimeError as error:
            return {"no": f"torch: {error}"[:150]}
        inputs = [to_mindspore(t) for t in given]
        try:
            if graded:
                many = tuple(range(len(given)))
                got = ms.grad(lambda *a: target(*a), many if len(many) > 1 else 0)(*inputs)
                ours = [tensor_to_torch(g) for g in (got if isinstance(got, tuple) else (got,))]
            else:
                ours = [tensor_to_torch(target(*inputs))]
        except Exception as error:
            return {"no": f"MindSpore: {type(error).__name__}: {error}"[:200]}
        found: list[tuple[float, str]] = []
        bad = 0
        for r, t, o in zip(right, float32, ours, strict=True):
            # What float32 cannot hold is what torch's float32 gives.
            r = torch.where(r.abs() > 3.4e38, t.double(), r)
            r, t, o = (torch.where(v.double().abs() < LEAST, 0.0, v.double()) for v in (r, t, o))
            finite = r.isfinite() & t.isfinite()
            scale = torch.where(r == 0, 1e-30, r.abs())
            off, theirs_off = (o - r).abs() / scale, (t - r).abs() / scale
            off = torch.where(o.isfinite(), off, torch.inf)
            wrong = finite & (off > OFF) & (off > 4 * theirs_off)
            wrong |= ~finite & ~torch.isclose(t, o, equal_nan=True) & ~(t.isnan() & graded)
            bad += int(wrong.sum())
            for n in torch.argsort(torch.where(wrong, off.nan_to_num(1e30, 1e30, 1e30), -1.0), descending=True)[:4].tolist() + torch.nonzero(wrong)[:3, 0].tolist() + torch.nonzero(wrong)[-3:, 0].tolist():
                if wrong[n]:
                    found.append((float(off[n]), f"f({', '.join(f'{float(g[n]):.6g}' for g in given)}) = {float(o[n]):.7g}, torch {float(t[n]):.7g}, float64 {float(r[n]):.7g}"))
        return {"bad": bad, "worst": list(dict.fromkeys(text for _, text in sorted(found, reverse=True)))[:10]}

    serve(answers, lambda job: rows(entries[job["key"]]))


def main() -> None:
    """Run the entries that are asked for, or all."""
    from mindport import catalog

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    entries = [e for e in catalog.load().entries if e.kind in ("function", "layer") and not e.random and (not given.names or e.name in given.names)]
    entries = [e for e in entries if not e.name.startswith(("torch.optim.", "torch.nn.Module.", "torch.nn.init.", "torch.distributed"))]
    ran = off = 0
    asked = WorkerProcess("whole_range.py", "--worker", gib=5)
    with given.out.open("w") as out:
        for entry in entries:
            rows, ended = asked.answers({"key": entry.key}, MOST_SECONDS)
            for row in [*rows, *([{"key": entry.key, "no": ended}] if ended else [])]:
                out.write(json.dumps(row) + "\n")
                out.flush()
                ran += row.get("of") == "values"
                off += bool(row.get("bad"))
                if row.get("bad"):
                    print(row["key"], row["with"], row["of"], row["bad"], *row["worst"][:3], sep=" | ", flush=True)
    asked.stop()
    print(f"{ran} elementwise functions of {len(entries)} entries; {off} rows are off")


if __name__ == "__main__":
    if "--worker" in sys.argv:
        worker()
    else:
        main()
