"""torch's own docstrings as programs that nobody here chose: converted one by one, run on both sides, every variable compared.

    python benchmarks/docstring_examples.py --folder SCRATCH --results RESULTS.json [--everyday | --programs FOLDER] [--only NAME…] [--again]

Every docstring with ``>>>`` examples is one program and one project (docstring_extract.py); statements that torch itself
cannot run here are taken out first and counted. `--everyday`: the programs of benchmarks/everyday/ (or of another FOLDER) instead. Both
sides run in processes of their own (snippet_worker.py), begun anew after a crash; the judgement is snippet_outcomes.py's.
SCRATCH keeps the programs (``src``), the converted ones (``ms``) and the variables. RESULTS: what did not agree, and the counts.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import docstring_extract
import snippet_outcomes
from worker_process import WorkerProcess

HERE = Path(__file__).parent
TIMEOUT = 150.0


def main() -> int:
    """Extract, prune, convert, run, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--everyday", action="store_true")
    parser.add_argument("--programs", type=Path, help="a folder of programs like benchmarks/everyday")
    parser.add_argument("--only", nargs="*", default=[], help="regular expressions that names match")
    parser.add_argument("--part", type=int, nargs=2, metavar=("I", "N"), default=(0, 1), help="every N-th program, from the I-th on")
    parser.add_argument("--judge", action="store_true", help="judge again what was run before")
    parser.add_argument("--again", action="store_true", help="also extract and run torch's side again")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if arguments.again or not (folder / "plan.json").exists():
        home = arguments.programs or (HERE / "everyday" if arguments.everyday else None)
        plan(folder, everyday(home) if home else docstrings())
    planned = json.loads((folder / "plan.json").read_text())
    chosen = [n for n in planned["programs"] if not arguments.only or any(re.fullmatch(o, n) for o in arguments.only)]
    chosen = chosen[arguments.part[0] :: arguments.part[1]]
    if not arguments.judge:
        findings = {name: converted(folder, name) for name in chosen}
        worker = WorkerProcess("snippet_worker.py", "mindspore")
        ran = run(worker, {name: folder / "ms" / name / "example.py" for name in chosen}, folder, "ms", 0)
        worker.stop()
        for name in chosen:
            (folder / "held" / "ms" / f"{name}.json").write_text(json.dumps([findings[name], ran[name]]))
    said = {name: json.loads((folder / "held" / "ms" / f"{name}.json").read_text()) for name in chosen}
    rows = {name: outcome(folder, name, *said[name]) for name in chosen}
    results = {"programs": {}, "dropped": planned["dropped"], "statements": planned["statements"]}
    if len(chosen) < len(planned["programs"]) and arguments.results.exists():
        results = json.loads(arguments.results.read_text())
    results["programs"] |= rows
    results["programs"] = dict(sorted(results["programs"].items()))
    arguments.results.write_text(_one_line_each(results))
    for name, row in rows.items():
        if arguments.only or row["outcome"] in ("SILENT", "crash", "unannounced"):
            print(name, row["outcome"], *[f"\n    {s['outcome']}: {s['what']}" for s in row["said"]])
    tally = collections.Counter(row["outcome"] for row in rows.values())
    print(f"{len(rows)} programs: " + ", ".join(f"{k} {tally[k]}" for k in snippet_outcomes.ORDER))
    return 0


def _one_line_each(results: dict[str, Any]) -> str:
    """JSON that a diff shows program by program."""
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in results["programs"].items())
    rest = {k: v for k, v in results.items() if k != "programs"}
    return json.dumps(rest)[:-1] + ', "programs": {\n' + rows + "\n}}\n"


def docstrings() -> dict[str, list[str]]:
    """Statements of every docstring with examples."""
    return {name: docstring_extract.examples(text)[0] for name, text in docstring_extract.docstrings()}


def everyday(home: Path) -> dict[str, list[str]]:
    """Statements of the programs in a folder: files of programs under ``# ---- name`` lines."""
    found: dict[str, list[str]] = {}
    for path in sorted(home.glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("# ---- ")[1:]:
            name, _, text = part.partition("\n")
            found[f"{path.stem}.{name.strip().replace(' ', '_')}"] = [ast.unparse(s) for s in ast.parse(text).body]
    return found


def plan(folder: Path, found: dict[str, list[str]]) -> None:
    """Run everything in torch, take out what raises there, run what is left with two seeds."""
    for old in ("raw", "src", "ms", "held"):
        shutil.rmtree(folder / old, ignore_errors=True)
    texts = {name: docstring_extract.program(statements, _home(name)) for name, statements in found.items()}
    for name, lines in texts.items():
        _write(folder / "raw" / name / "example.py", lines)
    worker = WorkerProcess("snippet_worker.py", "torch")
    first = run(worker, {n: folder / "raw" / n / "example.py" for n in texts}, folder, "raw", 0)
    dropped: collections.Counter[str] = collections.Counter()
    kept: dict[str, list[str]] = {}
    for name, lines in texts.items():
        if "crash" in first[name]:
            dropped[f"whole program: {first[name]['crash']}"] += 1
            continue
        dropped.update(_reason(e) for e in first[name]["errors"] if e["statement"] >= 0)
        rest = [lines[number] for number in first[name]["ran"]]
        if any(not isinstance(ast.parse(line).body[0], (ast.Import, ast.ImportFrom)) for line in rest):
            kept[name] = rest
            _write(folder / "src" / name / "example.py", rest)
    for seed, kind in ((0, "torch"), (1, "again")):
        run(worker, {n: folder / "src" / n / "example.py" for n in kept}, folder, kind, seed)
    worker.stop()
    statements = {"in docstrings": sum(map(len, found.values())), "torch runs": sum(map(len, kept.values()))}
    described = {"programs": list(kept), "dropped": dict(dropped.most_common()), "statements": statements, "docstrings": len(found)}
    (folder / "plan.json").write_text(json.dumps(described, indent=0))


def _home(name: str) -> str:
    """The namespace that a docstring's name belongs to."""
    return max((n for n in docstring_extract.NAMESPACES if name.startswith(n + ".")), key=len, default="torch")


def _reason(error: dict[str, Any]) -> str:
    if error["error"] in ("NameError", "UnboundLocalError"):
        return "a name that the docstring does not define (or whose statement raised)"
    if "CUDA" in error["message"] or "cuda" in error["message"]:
        return "needs CUDA"
    return error["error"]


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def converted(folder: Path, name: str) -> list[dict[str, Any]]:
    """Convert one program as a project of its own; the findings."""
    from mindport.convert import Options, convert, write
    from mindport.evidence import store
    from mindport.source.discover import discover

    out = folder / "ms" / name
    shutil.rmtree(out, ignore_errors=True)
    conversion = convert(discover([folder / "src" / name]), Options("2.10.0", store.load("cpu", "2.10.0").status))
    write(conversion, out)
    return [
        {"code": f.code, "risk": f.risk, "line": f.span.line if f.span else 0, "message": f.message, "api": f.api} for f in conversion.findings
    ]


def run(worker: WorkerProcess, files: dict[str, Path], folder: Path, kind: str, seed: int) -> dict[str, dict[str, Any]]:
    """Every program on one side; a crash or a timeout is that program's answer, and the next one gets a new process."""
    answers: dict[str, dict[str, Any]] = {}
    (folder / "held" / kind).mkdir(parents=True, exist_ok=True)
    (folder / "cwd").mkdir(exist_ok=True)
    for name, path in files.items():
        out = folder / "held" / kind / f"{name}.pkl"
        out.unlink(missing_ok=True)
        answers[name] = ask(worker, {"file": str(path), "seed": seed, "out": str(out), "scratch": str(folder / "cwd")})
    return answers


def outcome(folder: Path, name: str, findings: list[dict[str, Any]], ran: dict[str, Any]) -> dict[str, Any]:
    """The row of one program."""
    if "crash" in ran:
        return {"outcome": "crash", "said": [{"outcome": "crash", "what": ran["crash"]}]}
    sides = tuple(pickle.loads((folder / "held" / kind / f"{name}.pkl").read_bytes()) for kind in ("torch", "again", "ms"))
    source, made = ((folder / kind / name / "example.py").read_text(encoding="utf-8") for kind in ("src", "ms"))
    said = snippet_outcomes.judge(source, made, findings, sides, ran["errors"])  # type: ignore[arg-type]
    return {"outcome": snippet_outcomes.worst(said), "said": said, "compared": len(sides[0])}


def ask(worker: WorkerProcess, job: dict[str, Any]) -> dict[str, Any]:
    """The answer, or what happened to the process."""
    answer = worker.answer(job, TIMEOUT)
    return {"crash": answer} if isinstance(answer, str) else answer


if __name__ == "__main__":
    raise SystemExit(main())
