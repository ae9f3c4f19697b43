import os
import types
import numpy as np
import torch
import main
import pixelcnn
import pixelcnnpp
import pixelsnail
from functools import partial
from probe import attempt, fill, keep, quiet, say

main.tqdm = lambda *a, **o: Bar(*a)


class Bar:
    def __init__(self, items=()):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def set_postfix(self, bits_per_dim):
        say("bits", float(bits_per_dim))

    def update(self):
        pass


class Writer:
    def add_scalar(self, name, value, step):
        say(f"{name} {step}", value)

    def add_image(self, name, image, step):
        say(f"{name} {step}", image.float().mean().item(), *image.shape)


def data(channels, n_bits):
    for i in range(2):
        x = torch.from_numpy(np.random.RandomState(i).randint(0, 2**n_bits, (2, channels, 8, 8)).astype("float32"))
        yield main.preprocess(x, n_bits), torch.eye(3)[torch.tensor([i, 2])]


def run(name):
    os.makedirs("made", exist_ok=True)
    dims, n_bits = ((1, 8, 8), 2) if name == "pixelcnn" else ((3, 8, 8), 8)
    args = types.SimpleNamespace(device=torch.device("cpu"), n_bits=n_bits, image_dims=dims, n_cond_classes=3, n_samples=2, step=0, start_epoch=0, n_epochs=1, log_interval=1, eval_interval=5, output_dir="made")
    if name == "pixelcnn":
        model = pixelcnn.PixelCNN(dims, n_bits, 8, 16, 5, 2, 3, True)
        loss_fn = lambda scores, targets, n_bits: pixelcnn.loss_fn(scores, main.deprocess(targets, n_bits))
        optimizer, scheduler = main.RMSprop(model.parameters(), lr=1e-3, polyak=0.9), None
    else:
        model = pixelcnnpp.PixelCNNpp(dims, 8, 1, 3, 3) if name == "pixelcnnpp" else pixelsnail.PixelSNAIL(dims, 8, 1, 2, 1, 4, 8, 0, 3, 3)
        loss_fn = pixelcnnpp.loss_fn
        optimizer = main.Adam(model.parameters(), lr=1e-3, betas=(0.95, 0.9995), polyak=0.9)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    fill(model)
    quiet(model)
    batches = list(data(dims[0], n_bits))
    with torch.no_grad():
        model(batches[0][0], batches[0][1])
    main.train_and_evaluate(model, batches, batches, optimizer, scheduler, loss_fn, None, Writer(), args)
    keep(name, model)
    optimizer.swap_ema()
    say(f"{name} ema", main.evaluate(model, batches, loss_fn, args), sum(p.abs().sum().item() for p in model.parameters()))
    optimizer.swap_ema()
    torch.save({"state_dict": model.state_dict()}, "made/checkpoint.pt")
    model.load_state_dict(torch.load("made/checkpoint.pt")["state_dict"])
    main.train_epoch(model, batches, optimizer, scheduler, loss_fn, 1, Writer(), args)
    say(f"{name} rate", optimizer.param_groups[0]["lr"], sum(p.abs().sum().item() for p in model.parameters()))


for name in ("pixelcnn", "pixelcnnpp", "pixelsnail"):
    attempt(name, lambda: run(name))
