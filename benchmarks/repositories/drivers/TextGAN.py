import argparse
import os
import random
import sys
import types
import torch

for name in ("nltk", "nltk.translate", "nltk.translate.bleu_score"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["nltk.translate.bleu_score"].SmoothingFunction = None

import config as cfg

for key, value in dict(CUDA=False, oracle_pretrain=True, vocab_size=20, max_seq_len=6, samples_num=16, MLE_train_epoch=2, ADV_train_epoch=2, batch_size=4, gen_embed_dim=32, gen_hidden_dim=32, mem_slots=1, num_heads=2, head_size=8, dis_embed_dim=8, dis_hidden_dim=8, num_rep=2, d_step=1, d_epoch=2, ADV_d_step=1, ADV_d_epoch=1, rollout_num=2, k_label=1, pre_log_step=1, adv_log_step=1, temperature=2, log_filename="log/made.txt", save_root="save/made/", save_samples_root="save/made/samples/", save_model_root="save/made/models/").items():
    setattr(cfg, key, value)
for folder in ("log", "save/made/samples", "save/made/models", "pretrain/oracle_data"):
    os.makedirs(folder, exist_ok=True)

from models.Oracle import Oracle
from probe import attempt, fill, keep, quiet, say, whole

for name in ("oracle", "oracle0"):
    oracle = Oracle(32, 32, cfg.vocab_size, cfg.max_seq_len, cfg.padding_idx)
    fill(oracle)
    torch.save(oracle.state_dict(), f"pretrain/oracle_data/{name}_lstm.pt")
    torch.save(whole(3, 20, 16, 6), f"pretrain/oracle_data/{name}_lstm_samples_16.pt")

from instructor.oracle_data.jsdgan_instructor import JSDGANInstructor
from instructor.oracle_data.relgan_instructor import RelGANInstructor
from instructor.oracle_data.seqgan_instructor import SeqGANInstructor


def numbers(text, *values):
    words = (text % values if values else text).replace(",", " ").replace(":", " ").split()
    found = [w for w in words if w.replace(".", "", 1).replace("-", "", 1).isdigit()]
    if found and "=" in words and ">>>" not in words:
        say(words[0], *found)


def run(name, kind, **changes):
    random.seed(5)
    for key, value in dict(dict(model_type="vanilla", run_model=name, gen_init="normal", dis_init="uniform"), **changes).items():
        setattr(cfg, key, value)
    cfg.pretrained_gen_path, cfg.pretrained_dis_path = f"save/made/gen_{name}.pt", f"save/made/dis_{name}.pt"
    made = kind(argparse.Namespace(name=name))
    made.log.info = numbers
    for i, part in enumerate(("gen", "dis")):
        if getattr(made, part, None) is not None:
            fill(getattr(made, part), i)
            quiet(getattr(made, part))
    made._run()
    with torch.no_grad():
        say(name, *made.gen.sample(4, 4).flatten()[:12], *made.cal_metrics())
    keep(name, made.gen)
    if made.dis is not None:
        keep(name + "-dis", made.dis)


attempt("seqgan", lambda: run("seqgan", SeqGANInstructor))
attempt("relgan", lambda: run("relgan", RelGANInstructor, model_type="RMC"))
attempt("relgan lstm", lambda: run("relgan-lstm", RelGANInstructor, model_type="LSTM"))
attempt("jsdgan", lambda: run("jsdgan", JSDGANInstructor))
