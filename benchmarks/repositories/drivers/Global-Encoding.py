import json
import os
import pickle
import random
import sys
import tempfile
import torch

folder = tempfile.mkdtemp() + "/"
settings = dict(data=folder, logF=folder, epoch=2, batch_size=4, optim="adam", cell="lstm", attention="luong_gate", learning_rate=3e-3, max_grad_norm=10, learning_rate_decay=0.5, start_decay_at=2, emb_size=8, hidden_size=8, dec_num_layers=2, enc_num_layers=2, bidirectional=True, dropout=0.0, max_time_step=5, eval_interval=2, save_interval=3, metrics=[], shared_vocab=True, beam_size=3, unk=True, schedule=False, selfatt=True, schesamp=False, swish=True, length_norm=True)
with open(folder + "made.yaml", "w") as f:
    json.dump(settings, f)
sys.argv = ["train.py", "-config", folder + "made.yaml", "-log", "made"]

import train
import models
import utils
from probe import attempt, fill, keep, quiet, say

words = utils.Dict([utils.PAD_WORD, utils.UNK_WORD, utils.BOS_WORD, utils.EOS_WORD])
for i in range(12):
    words.add(f"w{i}")
infos = {}
for part, count in (("train", 8), ("valid", 4)):
    rng = random.Random(count)
    rows = [([rng.randint(4, 15) for _ in range(rng.randint(3, 7))], [2, *(rng.randint(4, 15) for _ in range(rng.randint(2, 5))), 3]) for _ in range(count)]
    for name, at in (("src", 0), ("tgt", 1)):
        with open(f"{folder}{part}.{name}.id", "w") as f:
            f.write("".join(" ".join(map(str, row[at])) + "\n" for row in rows))
        with open(f"{folder}{part}.{name}.str", "w") as f:
            f.write("".join(" ".join(f"w{i - 4}" for i in row[at]) + "\n" for row in rows))
    infos[part] = {"srcF": f"{folder}{part}.src.id", "tgtF": f"{folder}{part}.tgt.id", "original_srcF": f"{folder}{part}.src.str", "original_tgtF": f"{folder}{part}.tgt.str", "length": count}
infos["dict"] = {"src": words, "tgt": words}
with open(folder + "data.pkl", "wb") as f:
    pickle.dump(infos, f)


def run(name, **more):
    train.config.update(more)
    train.opt.log = name
    random.seed(4)
    data = train.load_data()
    print_log, log_path = train.build_log()
    model, optim, print_log = train.build_model(None, print_log)
    fill(model)
    quiet(model)
    params = {"updates": 0, "report_loss": 0, "report_total": 0, "report_correct": 0, "report_time": 0, "log": print_log, "log_path": log_path}
    for epoch in range(1, 3):
        train.train_model(model, data, optim, epoch, params)
    say(name + " counts", params["updates"], optim.lr * 1e3)
    keep(name, model)
    with open(log_path + "candidate.txt") as f:
        print("##\t{}\t{}".format(name + " candidates", f.read().replace("\n", " / ")))


attempt("beams", lambda: run("beams"))
attempt("gru", lambda: run("gru", cell="gru", attention="bahdanau", selfatt=False, beam_size=1, bidirectional=True, optim="adagrad"))
attempt("luong", lambda: run("luong", cell="lstm", attention="luong", swish=False, selfatt=False, shared_vocab=False, beam_size=2, optim="adadelta", schesamp=True))
