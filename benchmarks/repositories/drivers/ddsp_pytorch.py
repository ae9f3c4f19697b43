import json
import os
import types
import numpy as np

os.makedirs("made", exist_ok=True)
os.makedirs("runs/debug", exist_ok=True)
rng = np.random.RandomState(0)
np.save("made/signals.npy", rng.randn(4, 640).astype("float32") * 0.1)
np.save("made/pitchs.npy", (200 + 100 * rng.rand(4, 10)).astype("float32"))
np.save("made/loudness.npy", rng.randn(4, 10).astype("float32"))
with open("config.yaml", "w") as file:
    json.dump({"model": {"hidden_size": 8, "n_harmonic": 5, "n_bands": 6, "sampling_rate": 320, "block_size": 64}, "preprocess": {"out_dir": "made", "sampling_rate": 320}, "train": {"scales": [64, 32], "overlap": 0.75}, "data": {}}, file)

import train  # noqa: E402
import torch  # noqa: E402
from ddsp.core import amp_to_impulse_response, fft_convolve, resample, safe_log  # noqa: E402
from probe import array, attempt, keep, say  # noqa: E402

say("statistics", train.mean_loudness, train.std_loudness, train.step, train.best_loss)
say("state", len(torch.load("runs/debug/state.pth")), train.schedule(0), train.schedule(7))
keep("model", train.model)


def parts():
    x = array(1, 2, 7, 3).requires_grad_()
    y = resample(x, 4).pow(2).mean() + safe_log(fft_convolve(x, x.detach().flip(-1)).abs()).mean() + amp_to_impulse_response(x.abs(), 16).abs().sum()
    y.backward()
    say("parts", y.item(), *x.grad.flatten()[:8])
    with torch.no_grad():
        train.model.eval()
        for i in range(2):
            say(f"realtime {i}", train.model.realtime_forward(200 + array(i, 1, 4, 1).abs(), array(i + 5, 1, 4, 1)).abs().mean().item(), train.model.phase.item(), train.model.cache_gru.abs().sum().item())


attempt("parts", parts)
