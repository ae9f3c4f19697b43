import os
import tempfile
import numpy as np
import torch
from config_files.HAR_Configs import Config
from dataloader.dataloader import data_generator
from models.model import base_Model
from models.TC import TC
from trainer.trainer import Trainer, model_evaluate
from utils import _logger, set_requires_grad
from probe import array, attempt, fill, keep, quiet, say, whole

folder = tempfile.mkdtemp()
for seed, (name, count) in enumerate((("train", 12), ("val", 10), ("test", 10))):
    torch.save({"samples": array(seed, count, 9, 128), "labels": whole(seed, 6, count)}, os.path.join(folder, name + ".pt"))


def settings():
    configs = Config()
    configs.batch_size, configs.num_epoch, configs.final_out_channels, configs.TC.hidden_dim = 4, 2, 16, 16
    return configs


def run(mode, cosine=True):
    configs, device = settings(), torch.device("cpu")
    configs.Context_Cont.use_cosine_similarity = cosine
    key = f"{mode} {cosine}"
    np.random.seed(3)
    loaders = data_generator(folder, configs, mode)
    model, contrast = base_Model(configs).to(device), TC(configs, device).to(device)
    fill(model)
    fill(contrast, 1)
    if mode == "train_linear":
        stored = torch.load(os.path.join(folder, "self_supervised", "saved_models", "ckp_last.pt"), map_location=device)["model_state_dict"]
        for name in [n for n in stored if "logits" in n]:
            del stored[name]
        state = model.state_dict()
        state.update(stored)
        model.load_state_dict(state)
        set_requires_grad(model, stored, requires_grad=False)
        say(key + " wanting", sum(p.requires_grad for p in model.parameters()))
    quiet(model)
    quiet(contrast)
    first = torch.optim.Adam(model.parameters(), lr=configs.lr, betas=(configs.beta1, configs.beta2), weight_decay=3e-4, eps=1e-3)
    second = torch.optim.Adam(contrast.parameters(), lr=configs.lr, betas=(configs.beta1, configs.beta2), weight_decay=3e-4, eps=1e-3)
    place = os.path.join(folder, mode)
    os.makedirs(place, exist_ok=True)
    Trainer(model, contrast, first, second, *loaders, device, _logger(os.path.join(folder, key)), configs, place, mode)
    keep(key, model)
    keep(key + " contrast", contrast)
    if mode != "self_supervised":
        loss, accuracy, predicted, true = model_evaluate(model, contrast, loaders[2], device, mode)
        say(key + " tested", loss, accuracy, predicted.sum(), true.sum())


attempt("supervised", lambda: run("supervised"))
attempt("self_supervised dot", lambda: run("self_supervised", False))
attempt("self_supervised", lambda: run("self_supervised"))
attempt("train_linear", lambda: run("train_linear"))
