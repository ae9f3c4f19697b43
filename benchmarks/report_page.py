"""How long the page of an analysis takes to open in a headless Chromium, and what it asks for and says.

    python benchmarks/report_page.py FOLDER...

Each page is opened ``--runs`` times, each time by a browser started anew; the clock runs from the request to the load event, over the browser's own pipe.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.report.browser import Browser

#: What the Tab key stops at.
STOPS = "[...document.querySelectorAll('a[href],button,input,summary,select,[tabindex]')].filter(e => e.tabIndex >= 0 && e.offsetParent).length"


def main() -> int:
    """Measure and print; 2 where no browser is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("no Chromium is installed")
        return 2
    with tempfile.TemporaryDirectory() as kept:
        for folder in given.folders:
            page = Path(kept) / "page.html"
            subprocess.run([sys.executable, "-m", "mindport", "analyze", str(folder), "--format", "html", "-o", str(page)], capture_output=True, check=False)
            seconds = []
            for number in range(given.runs):
                with Browser(program, Path(kept) / f"profile{folder.name}{number}") as browser:
                    start = time.perf_counter()
                    browser.open(page)
                    seconds.append(f"{time.perf_counter() - start:.2f}")
                    stops, asked, said = browser.value(STOPS), [url for url in browser.seen if not url.startswith(("file:", "data:"))], browser.said
            print(f"{folder.name}: {page.stat().st_size / 1e6:.2f} MB, {', '.join(seconds)} s, {stops} stops, asked for {asked}, console {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
