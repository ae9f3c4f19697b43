import gzip
import os
import struct
import sys
import numpy as np

rng = np.random.RandomState(0)
os.makedirs("../datasets/MNIST/raw", exist_ok=True)
for start, n in (("train", 60), ("t10k", 40)):
    images, labels = rng.randint(0, 255, (n, 28, 28)).astype(np.uint8), rng.randint(5, 10, n).astype(np.uint8)
    for name, data in ((f"{start}-images-idx3-ubyte", struct.pack(">IIII", 2051, n, 28, 28) + images.tobytes()), (f"{start}-labels-idx1-ubyte", struct.pack(">II", 2049, n) + labels.tobytes())):
        with open("../datasets/MNIST/raw/" + name, "wb") as file:
            file.write(data)
        with gzip.open("../datasets/MNIST/raw/" + name + ".gz", "wb") as file:
            file.write(data)
sys.argv = ["main.py", "--num_bags_train", "6", "--num_bags_test", "4", "--mean_bag_length", "4", "--model", "gated_attention", "--no-cuda"]

import main  # noqa: E402
from model import Attention  # noqa: E402
from probe import attempt, fill, fit, keep, say  # noqa: E402


def run():
    fill(main.model)
    for epoch in range(2):
        main.train(epoch)
    main.test()
    for bag, label in main.test_loader:
        loss, weights = main.model.calculate_objective(bag, label[0])
        error, predicted = main.model.calculate_classification_error(bag, label[0])
        say("bag", loss.item(), error, predicted.item(), *weights.detach().reshape(-1))
    keep("gated", main.model)


def plain():
    model = Attention()
    fill(model)
    bags = list(main.test_loader)
    import torch

    fit("plain", model, lambda step: model.calculate_objective(bags[step][0], bags[step][1][0])[0], torch.optim.Adam(model.parameters(), lr=5e-4, betas=(0.9, 0.999), weight_decay=1e-4))


attempt("gated", run)
attempt("plain", plain)
