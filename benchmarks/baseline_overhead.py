"""What `mindport baseline` costs: the time of a training script with and without it, run by turns.

    python benchmarks/baseline_overhead.py [pairs]

The script trains a small convolutional network on generated data; it times its own steps, so that imports and
mindport's start are left out. Prints a line of JSON: the ratio of the medians, and that of the least.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = '''
import time
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
    nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 16 * 16, 10),
)
optimizer = torch.optim.Adam(model.parameters())
data = torch.utils.data.TensorDataset(torch.randn(512, 3, 32, 32), torch.randint(10, (512,)))
loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True)
seconds = []
for epoch in range(3):
    began = time.process_time()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    seconds.append(time.process_time() - began)
print("seconds", min(seconds[1:]))
'''


def main(pairs: int) -> int:
    """Run both ways by turns; CPU time of the best epoch, which other processes disturb least."""
    times: dict[str, list[float]] = {"plain": [], "recorded": []}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        script.write_text(SCRIPT)
        for turn in range(pairs):
            for kind in times:
                command = [sys.executable, str(script)]
                if kind == "recorded":
                    command = [sys.executable, "-m", "mindport", "baseline", "-o", f"{folder}/b{turn}", "--", *command]
                out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                times[kind].append(float(next(line for line in out.splitlines() if line.startswith("seconds")).split()[1]))
    ratio = {
        name: round(of(times["recorded"]) / of(times["plain"]), 4) for name, of in (("median", statistics.median), ("least", min))
    }
    print(json.dumps({"ratio": ratio, "pairs": pairs, "steps an epoch": 32, "seconds": times}))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
