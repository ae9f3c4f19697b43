import random
import types
import numpy as np
import torch
import datasets.dataset_synapse as data
import trainer as module
from networks.vision_transformer import SwinUnet
from probe import Board, attempt, fill, keep, quiet, say


class Slices:
    def __init__(self, base_dir, list_dir, split, transform):
        self.count = 6 if split == "train" else 3

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        rng = np.random.RandomState(i)
        return {"image": torch.from_numpy(rng.rand(1, 64, 64).astype("float32")), "label": torch.from_numpy(rng.randint(0, 4, size=(64, 64)).astype("float32"))}


def run(**options):
    random.seed(1)
    data.Synapse_dataset, module.SummaryWriter = Slices, Board
    swin = types.SimpleNamespace(PATCH_SIZE=4, IN_CHANS=3, EMBED_DIM=12, DEPTHS=[2, 2, 1, 2], NUM_HEADS=[1, 2, 2, 4], WINDOW_SIZE=4, MLP_RATIO=2.0, QKV_BIAS=True, QK_SCALE=None, APE=options.get("ape", False), PATCH_NORM=True)
    config = types.SimpleNamespace(DATA=types.SimpleNamespace(IMG_SIZE=64), MODEL=types.SimpleNamespace(SWIN=swin, DROP_RATE=0.0, DROP_PATH_RATE=0.0), TRAIN=types.SimpleNamespace(USE_CHECKPOINT=options.get("checkpoint", False)))
    net = SwinUnet(config, img_size=64, num_classes=4)
    fill(net, 1)
    quiet(net)
    args = types.SimpleNamespace(base_lr=0.01, num_classes=4, batch_size=3, n_gpu=1, max_epochs=2, root_path="", list_dir="", img_size=64, seed=3, num_workers=0, eval_interval=1)
    module.trainer_synapse(args, net, ".")
    keep("ape" if options else "plain", net)
    net.load_state_dict(torch.load("best_model.pth"))
    net.eval()
    with torch.no_grad():
        say("scores", net(Slices("", "", "val", None)[2]["image"].unsqueeze(0)).abs().mean().item())


attempt("plain", run)
attempt("ape", lambda: run(ape=True, checkpoint=True))
