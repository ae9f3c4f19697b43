from importlib import import_module
import numpy as np
import torch
from types import SimpleNamespace
from train_eval import train, evaluate, init_network
from probe import attempt, fill, keep, say, whole


def batches(seed, n=2):
    return [((whole(seed + i, 30, 4, 32), whole(seed + i + 50, 31, 4) + 1), torch.arange(4)) for i in range(n)]


def run(name):
    x = import_module('models.' + name)
    config = SimpleNamespace(model_name=name, class_list=list("abcd"), save_path=name + '.ckpt', log_path='log', embedding_pretrained=None, device=torch.device('cpu'),
                             dropout=0.0, require_improvement=1000, num_classes=4, n_vocab=30, num_epochs=2, batch_size=4, pad_size=32, learning_rate=1e-3,
                             embed=16, hidden_size=8, hidden_size2=8, num_layers=2, filter_sizes=(2, 3), num_filters=6, dim_model=16, hidden=20, last_hidden=10, num_head=4, num_encoder=2, n_gram_vocab=40)
    model = x.Model(config).to(config.device)
    if name != 'Transformer':
        init_network(model)
    fill(model)
    train(config, model, batches(0), batches(10), batches(20))
    acc, loss = evaluate(config, model, batches(30))
    say(name, acc, loss)
    keep(name, model)


for name in ("TextCNN", "TextRNN", "TextRNN_Att", "TextRCNN", "DPCNN", "Transformer"):
    attempt(name, lambda: run(name))
