import json
import sys
import types
import torch

sys.modules["radam"] = types.ModuleType("radam")
sys.modules["radam"].RAdam = torch.optim.RAdam

import trainer as module
from torch.utils.data import DataLoader, TensorDataset
from probe import attempt, fill, keep, say, whole


class Board:
    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


def sentences(seed, count):
    ids = whole(seed, 17, count, 9) + 3
    ids[:, 0] = 1
    for i in range(count):
        ids[i, 5 + i % 3] = 2
        ids[i, 6 + i % 3:] = 0
    return ids


def run():
    tokenizer = types.SimpleNamespace(vocab_size=20, pad_token_id=0, eos_token_id=2)
    args = dict(no_cuda=True, local_rank=-1, distributed=False, pretrain=True, finetune=False, pretrained_model=None, max_seq_len=9, hidden=12, n_layers=2, n_attn_heads=3, ffn_hidden=20, embd_dropout=0.0, attn_dropout=0.0, resid_dropout=0.0, lr=1e-3, auxiliary_ratio=0.25, cached_label_dict="labels.json")
    module.SummaryWriter = Board
    first = types.SimpleNamespace(**args)
    trainer = module.Trainer(first, DataLoader(TensorDataset(sentences(1, 18)), batch_size=3), DataLoader(sentences(2, 6), batch_size=3), tokenizer)
    fill(trainer.model, 4)
    for epoch in (1, 2):
        trainer.train(epoch)
        trainer.evaluate(epoch)
        trainer.save(epoch, "made", "kept")
    keep("pretrained", trainer.model)
    with open("labels.json", "w") as file:
        json.dump({"a": 0, "b": 1, "c": 2}, file)
    second = types.SimpleNamespace(**{**args, "pretrain": False, "finetune": True, "pretrained_model": "kept/made.ep2"})
    labels = whole(6, 3, 18)
    tuner = module.Trainer(second, DataLoader(TensorDataset(sentences(3, 18), labels), batch_size=3), DataLoader(TensorDataset(sentences(5, 15), labels[:15]), batch_size=3), tokenizer)
    fill(tuner.model.linear2, 8)
    tuner.model.dropout.p = 0.0
    tuner.train(1)
    tuner.evaluate(1)
    keep("tuned", tuner.model)


attempt("train", run)
