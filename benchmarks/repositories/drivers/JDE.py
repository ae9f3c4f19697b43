import json
import sys
import types
import numpy as np
import torch
import train as module
import models
from probe import attempt, fill, keep, say

CONV = "[convolutional]\nbatch_normalize={}\nfilters={}\nsize={}\nstride={}\npad=1\nactivation={}\n"
YOLO = "[yolo]\nmask = {}\nanchors = 8,10, 12,20, 20,14, 18,30, 30,24, 24,44, 40,36, 50,50\nclasses=1\nnum=8\n"


def head(mask):
    return CONV.format(0, 24, 1, 1, "linear") + "[route]\nlayers = -2\n" + CONV.format(0, "$embedding_dim", 3, 1, "linear") + "[route]\nlayers = -3, -1\n" + YOLO.format(mask)


CFG = "[net]\nwidth= 96\nheight=64\nembedding_dim=8\nchannels=3\n" + "".join(CONV.format(1, f, 3, s, "leaky") for f, s in ((8, 2), (12, 2), (16, 2), (16, 1)))
CFG += "[shortcut]\nfrom=-2\nactivation=linear\n" + CONV.format(1, 16, 3, 2, "leaky") + head("4,5,6,7") + "[route]\nlayers = -6\n" + CONV.format(1, 12, 1, 1, "leaky")
CFG += "[upsample]\nstride=2\n[route]\nlayers = -1, 4\n" + head("0,1,2,3") + "[route]\nlayers = -6\n" + head("2,3,4,5")


class Frames(torch.utils.data.Dataset):
    nID = 5

    def __init__(self, *arguments, **options):
        pass

    def __len__(self):
        return 5

    def __getitem__(self, i):
        rng = np.random.RandomState(i)
        boxes = np.zeros((i % 3 + (i != 3), 6), dtype="float32")
        for row in boxes:
            row[1:] = [rng.randint(0, 5), *rng.uniform(0.2, 0.8, size=2), *rng.uniform(0.1, 0.5, size=2)]
        return torch.from_numpy(rng.rand(3, 64, 96).astype("float32")), boxes, str(i), (64, 96)


nets = []


class Net(models.Darknet):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        fill(self, 2)
        nets.append(self)

    def forward(self, x, targets=None, targets_len=None):
        found = super().forward(x, targets, targets_len)
        if targets is not None:
            say("losses", found[0].sum().item(), *found[1].tolist())
        return found


def run():
    with open("made.cfg", "w") as file:
        file.write(CFG)
    with open("made.json", "w") as file:
        json.dump({"root": "", "train": {}}, file)
    module.JointDataset, module.Darknet, module.copyfile = Frames, Net, lambda source, target: None
    module.test.test, module.test.test_emb = lambda *arguments, **options: (0, 0, 0), lambda *arguments, **options: None
    opt = types.SimpleNamespace(lr=0.01, epochs=2, unfreeze_bn=False, print_interval=1, test_interval=1)
    module.train("made.cfg", "made.json", weights_to="made", save_every=1, img_size=(96, 64), epochs=2, batch_size=2, accumulated_batches=2, opt=opt)
    keep("net", nets[0])


def detect():
    net = models.Darknet("made.cfg", 5)
    net.load_state_dict(nets[0].state_dict())
    net.eval()
    with torch.no_grad():
        found = net(torch.stack([Frames()[i][0] for i in range(2)]))
        say("found", *found.shape, found[..., :4].abs().mean().item(), found[..., 4].mean().item(), found[..., 6:].abs().mean().item())
        kept = models.non_max_suppression(found, 0.3, 0.4, method="fast")
        say("kept", *[0 if k is None else len(k) for k in kept])
        say("boxes", *[k[:, :5].abs().mean().item() for k in kept if k is not None])


def embed():
    net = models.Darknet("made.cfg", 5, test_emb=True)
    net.load_state_dict(nets[0].state_dict())
    net.eval()
    with torch.no_grad():
        imgs, targets, _, _, lengths = module.collate_fn([Frames()[i] for i in (0, 1, 2)])
        found = net(imgs, targets, lengths)
        say("embedded", *found.shape, found.abs().mean().item())


attempt("run", run)
attempt("detect", detect)
attempt("embed", embed)
