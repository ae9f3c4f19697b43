import pathlib
import sys
import types
import torch


class Options(dict):
    __getattr__ = dict.__getitem__


open_config, inner = types.ModuleType("omegaconf"), types.ModuleType("omegaconf.dictconfig")
inner.DictConfig = Options
open_config.OmegaConf = types.SimpleNamespace(create=Options)
open_config.DictConfig = Options
words = types.ModuleType("transformers")
words.GPT2TokenizerFast = object
sets = types.ModuleType("datasets")
sets.DatasetDict, sets.load_dataset = dict, None
sys.modules.update({"omegaconf": open_config, "omegaconf.dictconfig": inner, "transformers": words, "datasets": sets})
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from logic import flow
from logic.state import TrainState
from logic import training
from model.transformer import Transformer
from probe import attempt, fill, keep, say, whole


class Sampler:
    def __init__(self):
        self.at = 0

    def state_dict(self):
        return {"at": self.at}

    def load_state_dict(self, state):
        self.at = state["at"]


class Held(Sampler):
    def __init__(self):
        super().__init__()
        self.sampler = self


class Board:
    def log_lr(self, value, step):
        say(f"lr {step}", value)


def batches(sampler):
    while True:
        sampler.at += 1
        yield {"input_ids": whole(sampler.at, 15, 3, 8)}


def run(source, loss):
    config = Options(hidden_size=16, cond_dim=10, n_heads=2, n_blocks=2, dropout=0.0)
    spread = flow.get_source_distribution(source, 15)
    path = flow.get_path("polynomial", 2.0)
    loss_fn = flow.get_loss_function(loss, path)
    model = torch.nn.DataParallel(Transformer(15, spread.masked, config))
    fill(model, 3)
    sampler = Sampler()
    data = types.SimpleNamespace(train=types.SimpleNamespace(sampler=sampler), test=Held())
    state = TrainState(model, torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.03), 0, data)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    options = Options(lr=2e-3, warmup=2, n_iters=6, eta_min_ratio=0.1, log_lr_every=2, grad_clip=1.0)

    def steps(count):
        feed = batches(sampler)
        for _ in range(count):
            found = training.step(state, loss_fn, path, scaler, feed, torch.device("cpu"), spread, Board(), True, options, 1e-3)
            say(f"{source} {loss} {state.step}", found.item())
            state.step = state.step + 1

    steps(4)
    file = pathlib.Path("kept") / f"{source}.pth"
    file.parent.mkdir(exist_ok=True)
    state.save_checkpoint(str(file), 0)
    steps(2)
    state.restore_checkpoint(file, torch.device("cpu"), 0)
    steps(2)
    found = training.step(state, loss_fn, path, scaler, batches(Sampler()), torch.device("cpu"), spread, Board(), False)
    say(f"{source} {loss} held", found.item())
    keep(source, model)


attempt("mask", lambda: run("mask", "cross_entropy"))
attempt("uniform", lambda: run("uniform", "generalized_kl"))
