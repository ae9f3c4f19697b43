import sys

sys.path.insert(0, "..")
import types
import numpy as np
import torch
from data_util import config

for name in ("Batcher", "Vocab", "calc_running_avg_loss"):  # their files are Python 2
    place = {"Batcher": "batcher", "Vocab": "data"}.get(name, "utils")
    sys.modules["data_util." + place] = types.ModuleType(place)
    setattr(sys.modules["data_util." + place], name, None)
config.hidden_dim, config.emb_dim, config.vocab_size, config.batch_size, config.max_dec_steps = 10, 8, 30, 3, 5
from model import Model
from train import Train
from torch.optim import Adagrad
from probe import attempt, fill, keep, say


def batch(seed):
    rng = np.random.RandomState(seed)
    lens = np.array([7, 5, 4])
    enc = rng.randint(4, 30, (3, 7))
    mask = np.zeros((3, 7))
    for i, n in enumerate(lens):
        mask[i, :n] = 1
        enc[i, n:] = 0
    extended = enc + (enc > 27) * 3
    dec_lens = np.array([5, 4, 3], dtype=np.int32)
    dec_mask = (np.arange(5)[None] < dec_lens[:, None]).astype("float64")
    return types.SimpleNamespace(enc_lens=lens, enc_batch=enc, enc_padding_mask=mask, enc_batch_extend_vocab=extended, max_art_oovs=3, dec_batch=rng.randint(4, 30, (3, 5)), dec_padding_mask=dec_mask, dec_lens=dec_lens, target_batch=rng.randint(4, 33, (3, 5)))


def run(name, pointer, coverage):
    config.pointer_gen, config.is_coverage = pointer, coverage
    trainer = Train.__new__(Train)
    trainer.model = Model()
    for i, net in enumerate([trainer.model.encoder, trainer.model.decoder, trainer.model.reduce_state]):
        fill(net, i)
    params = list(trainer.model.encoder.parameters()) + list(trainer.model.decoder.parameters()) + list(trainer.model.reduce_state.parameters())
    trainer.optimizer = Adagrad(params, lr=0.15, initial_accumulator_value=config.adagrad_init_acc)
    for step in range(3):
        made = batch(step)
        if not pointer:
            made.target_batch = made.target_batch % 30
        loss = trainer.train_one_batch(made)
        say("%s %d" % (name, step), loss, trainer.norm.item())
    keep(name + "-encoder", trainer.model.encoder)
    keep(name + "-decoder", trainer.model.decoder)


attempt("pointer", lambda: run("pointer", True, False))
attempt("coverage", lambda: run("coverage", True, True))
attempt("plain", lambda: run("plain", False, False))
