import os
import shutil
import sys
import types
import numpy as np
import torch
import train as module
from model.transformer import Transformer
from probe import attempt, keep, say
from utils import utils


class Batches:
    def __init__(self, seed, count, has_inputs):
        rng = np.random.RandomState(seed)
        self.dataset = list(range(4 * count))
        self.batches = []
        for i in range(count):
            pair = [rng.randint(2, 17, size=(4, 5 + i % 3)), rng.randint(2, 17, size=(4, 4 + i % 2))]
            for part in pair:
                part[0, -2:] = part[2, -1:] = 1
            self.batches.append(Pair(*(torch.from_numpy(part) for part in pair)))

    def __iter__(self):
        return iter(self.batches)

    def reload_examples(self):
        say("reloaded", len(self.batches))


class Pair:
    def __init__(self, src, trg):
        self.src, self.trg = src, trg

    def __len__(self):
        return len(self.trg)


class Board:
    def __init__(self, folder):
        pass

    def add_scalar(self, key, value, step):
        if not key.endswith("global_step/sec"):
            say(f"{key} {step}", value)


def run(name, has_inputs, shared):
    def prepare(problem, data_dir, max_length, batch_size, device, opt):
        opt.has_inputs, opt.share_target_embedding, opt.src_pad_idx, opt.trg_pad_idx = has_inputs, shared, 1, 1
        return Batches(1, 4, has_inputs), Batches(2, 2, has_inputs), 17, 17, opt

    module.problem, module.SummaryWriter = types.SimpleNamespace(prepare=prepare), Board
    shutil.rmtree("made_" + name, ignore_errors=True)
    for steps in ("2", "1"):
        sys.argv = ["train.py", "--problem", "made", "--train_step", steps, "--n_layers", "2", "--hidden_size", "16", "--filter_size", "20", "--warmup", "400", "--val_every", "1", "--dropout", "0", "--output_dir", "made_" + name, "--no_cuda", *(["--summary_grad"] if has_inputs else [])]
        module.main()
    model, step = utils.load_checkpoint(f"made_{name}/last/models", torch.device("cpu"), is_eval=False)
    say(name + " step", step)
    keep(name, model)
    if has_inputs:
        model.eval()
        cache, targets = {}, torch.ones(2, 1, dtype=torch.int64)
        inputs = torch.from_numpy(np.random.RandomState(3).randint(2, 17, size=(2, 6)))
        with torch.no_grad():
            mask = utils.create_pad_mask(inputs, 1)
            held = model.encode(inputs, mask)
            for t in range(4):
                found = model.decode(targets, held, mask, utils.create_trg_self_mask(t + 1, device=targets.device), utils.create_pad_mask(targets, 1), cache)[:, t]
                targets[:, t] = found.argmax(dim=1)
                targets = torch.cat((targets, torch.ones(2, 1, dtype=torch.int64)), dim=1)
                say(f"{name} decoded {t}", *targets.flatten(), *found.max(dim=1)[0], len(cache))


attempt("translate", lambda: run("translate", True, True))
attempt("apart", lambda: run("apart", True, False))
attempt("lm", lambda: run("lm", False, True))
