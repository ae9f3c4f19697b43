import os
import types
import numpy as np
import torch
from PIL import Image
import configs
import dataset
import main
from probe import attempt, fill, keep, quiet, say

configs.img_height = configs.img_width = 32
configs.log_output_dir = configs.save_pth = "made/out"
os.makedirs("made/out", exist_ok=True)
for part in ("train", "val"):
    for name in ("ant", "bee", "cat"):
        os.makedirs(f"made/{part}/{name}", exist_ok=True)
        for i in range(4):
            Image.fromarray(np.random.RandomState(i + len(name)).randint(0, 255, (40, 36, 3)).astype("uint8")).save(f"made/{part}/{name}/{i}.png")


class Writer:
    def add_scalar(self, name, value, epoch):
        say(f"{name} {epoch}", 0 if "ime" in name else value)

    def add_scalars(self, name, values, epoch):
        say(f"{name} {epoch}", len(values))

    def close(self):
        pass


def mean(y, p, **options):
    return float(np.mean([a == b for a, b in zip(y, p)]))


def run(name, rate="CosineAnnealingLR"):
    main.precision_score = main.recall_score = main.accuracy_score = mean
    main.tqdm = dataset.tqdm = lambda x, **options: x
    loaders = [main.load_dataset("made", 32, 32, 6, False, mode) for mode in ("train", "val")]
    logger = main.LOGWRITER("made/out", 2)
    model = main.load_model(types.SimpleNamespace(model=name, model_save_path=None), {"patch_size": 8, "layers": 2, "d_model": 16, "head": 2}, logger)
    fill(model)
    quiet(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4, eta_min=1e-5)
    main.classification(model=model, optimizer=optimizer, scheduler=scheduler, train_dl=loaders[0], valid_dl=loaders[1], logger=logger, writer=Writer(), loss_fn=torch.nn.CrossEntropyLoss(label_smoothing=0.15), epochs=2, warmup=1, device="cpu")
    keep(name, model)
    say(name, optimizer.param_groups[0]["lr"], sum(p.abs().sum().item() for p in model.parameters()))


for name in ("ViT", "ResNet18", "Squeezenetv3", "DenseNet121"):
    attempt(name, lambda: run(name))


def losses():
    import loss

    x, y = torch.from_numpy(np.random.RandomState(0).randn(4, 5).astype("float32")), torch.tensor([0, 1, 2, 4])
    x.requires_grad_()
    for kind in (loss.CrossEntropyLoss(), loss.LabelSmoothingLoss(5, 0.2), loss.BCELoss()):
        z = torch.eye(5)[:4] if isinstance(kind, loss.BCELoss) else y
        value = kind(x, z)
        value.backward()
        say(type(kind).__name__, value.item(), *x.grad.flatten())
    say("hinge", loss.HingeLoss()(x.detach(), 2 * torch.eye(5)[:4] - 1))


attempt("losses", losses)
