import argparse
import os
import sys
import types
import torch

for name in ("h5py", "tensorboardX", "ipdb"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["tensorboardX"].SummaryWriter = None

import train_pcrnet as module
from pcrnet.data_utils import RegistrationData
from pcrnet.models import PointNet, iPCRNet
from probe import Board, array, attempt, fill, keep, say


class Shapes(torch.utils.data.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return array(i, 24, 3), torch.LongTensor([i])


def run(optimizer, symfn, resumed=None):
    import numpy as np

    np.random.seed(4)
    os.makedirs("checkpoints/made/models", exist_ok=True)
    args = argparse.Namespace(device=torch.device("cpu"), optimizer=optimizer, start_epoch=0, epochs=2, exp_name="made")
    loaders = [torch.utils.data.DataLoader(RegistrationData("PCRNet", Shapes()), batch_size=3, shuffle=False, drop_last=True) for _ in range(2)]
    model = iPCRNet(feature_model=PointNet(emb_dims=16), pooling=symfn)
    fill(model)
    checkpoint = None
    if resumed:
        checkpoint = torch.load("checkpoints/made/models/model_snap.t7")
        model.load_state_dict(checkpoint["model"])
    textio = module.IOStream("made.log")
    module.train(args, model, loaders[0], loaders[1], Board(), textio, checkpoint)
    module.test(args, model, loaders[1], textio)
    name = f"{optimizer}-{symfn}-{bool(resumed)}"
    keep(name, model)
    with torch.no_grad():
        found = model(array(5, 2, 24, 3), array(6, 2, 24, 3), 3)
    say(name, *(v.abs().sum() for v in found.values()), found["est_T"][1, 2, 3])


attempt("adam", lambda: run("Adam", "max"))
attempt("resumed", lambda: run("Adam", "max", True))
attempt("sgd", lambda: run("SGD", "avg"))
