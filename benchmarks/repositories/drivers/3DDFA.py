import argparse
import os
import pickle
import sys
import types
import numpy as np
import torch

sys.modules["cv2"] = types.ModuleType("cv2")

folder = "train.configs"
os.makedirs(folder, exist_ok=True)
rng = np.random.RandomState(0)
points = 150
for name, shape in (("w_shp_sim", (3 * points, 40)), ("w_exp_sim", (3 * points, 10)), ("u_shp", (3 * points, 1)), ("u_exp", (3 * points, 1)), ("pncc_code", (3, points))):
    np.save(f"{folder}/{name}.npy", rng.randn(*shape).astype("float32") * (1.0 if name[0] == "u" else 0.1))
keys = rng.permutation(points)[:68]
np.save(f"{folder}/keypoints_sim.npy", np.stack([3 * keys, 3 * keys + 1, 3 * keys + 2], 1).reshape(-1).astype("int64"))
for name, content in (("param_whitening", {"param_mean": rng.randn(62).astype("float32") * 0.1, "param_std": rng.uniform(0.5, 1.5, 62).astype("float32")}), ("Model_PAF", {"mu_filter": np.zeros(3), "w_filter": np.zeros(3), "w_exp_filter": np.zeros(3)})):
    with open(f"{folder}/{name}.pkl", "wb") as file:
        pickle.dump(content, file)

import mobilenet_v1
import train
from utils.ddfa import DDFADataset, NormalizeGjz, ToTensorGjz, reconstruct_vertex
from probe import attempt, fill, keep, say

with open("made.txt", "w") as file:
    file.write("\n".join(f"{i}.jpg" for i in range(8)))
with open("made.pkl", "wb") as file:
    pickle.dump(rng.randn(8, 62).astype("float32"), file)


def image(path):
    return np.random.RandomState(int(os.path.basename(path)[:-4])).randint(0, 255, (64, 64, 3)).astype("uint8")


class Told(train.AverageMeter):
    def update(self, val, n=1):
        super().update(val, n)
        if n > 1:
            say("loss", self.val, self.avg)


def run(loss):
    train.AverageMeter = Told
    train.args = argparse.Namespace(loss=loss, print_freq=1, base_lr=5e-4 if loss == "wpdc" else 2e-6, warmup=-1, milestones=[1, 2])
    model = mobilenet_v1.mobilenet_025()
    fill(model)
    criterion = train.WPDCLoss(opt_style="resample", resample_num=30) if loss == "wpdc" else train.VDCLoss(opt_style="all" if loss == "all" else "resample")
    if loss == "all":
        train.args.loss = "vdc"
    optimizer = torch.optim.SGD(model.parameters(), lr=train.args.base_lr, momentum=0.9, weight_decay=5e-4, nesterov=True)
    data = DDFADataset("", "made.txt", "made.pkl", transform=train.transforms.Compose([ToTensorGjz(), NormalizeGjz(mean=127.5, std=128)]))
    data.img_loader = image
    loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=False, drop_last=True)
    for epoch in range(2):
        train.adjust_learning_rate(optimizer, epoch, train.args.milestones)
        train.train(loader, model, criterion, optimizer, epoch)
        train.save_checkpoint({"epoch": epoch, "state_dict": model.state_dict()}, f"made_{loss}.pth.tar")
        say("rate", train.lr)
    train.validate(loader, model, criterion, 2)
    keep(loss, model)
    again = mobilenet_v1.mobilenet_025()
    again.load_state_dict(torch.load(f"made_{loss}.pth.tar")["state_dict"])
    again.eval()
    with torch.no_grad():
        found = again(data[3][0].unsqueeze(0))
    say("found", found.abs().sum())
    say("vertices", *np.abs(reconstruct_vertex(found[0].numpy())).sum(1))


attempt("wpdc", lambda: run("wpdc"))
attempt("vdc", lambda: run("vdc"))
attempt("all", lambda: run("all"))
