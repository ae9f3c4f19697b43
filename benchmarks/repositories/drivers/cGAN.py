import os
import numpy as np

os.makedirs("data/MNIST/raw", exist_ok=True)
for part, count in (("train", 12), ("t10k", 8)):
    rng = np.random.RandomState(count)
    with open(f"data/MNIST/raw/{part}-images-idx3-ubyte", "wb") as file:
        file.write(np.array([2051, count, 28, 28], dtype=">i4").tobytes() + rng.randint(0, 255, (count, 28, 28)).astype("uint8").tobytes())
    with open(f"data/MNIST/raw/{part}-labels-idx1-ubyte", "wb") as file:
        file.write(np.array([2049, count], dtype=">i4").tobytes() + rng.randint(0, 10, count).astype("uint8").tobytes())

from probe import keep, say  # noqa: E402
import pytorch_MNIST_cDCGAN as script  # noqa: E402

say("losses", *script.train_hist["D_losses"], *script.train_hist["G_losses"])
say("rates", script.G_optimizer.param_groups[0]["lr"], sum(p.abs().sum().item() for p in script.G.parameters()))
keep("G", script.G)
keep("D", script.D)
