import random
import tempfile
import types
import numpy as np
import torch
from models import FMLPRecModel
from trainers import FMLPRecTrainer
from utils import EarlyStopping, get_dataloder, get_rating_matrix, get_seq_dic, set_seed
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp() + "/"
rng = np.random.RandomState(0)
with open(folder + "Beauty.txt", "w") as f, open(folder + "Beauty_sample.txt", "w") as g:
    for user in range(6):
        f.write(" ".join(map(str, [user, *range(4 * user + 1, 4 * user + 5), *rng.permutation(24)[: 2 + user % 3] + 1])) + "\n")
        g.write(" ".join(map(str, [user, *rng.permutation(24)[:9] + 1])) + "\n")


def run(name, no_filters, full_sort):
    args = types.SimpleNamespace(data_dir=folder, data_name="Beauty", model_name=name, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, hidden_act="gelu", attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0, initializer_range=0.02, max_seq_length=8, no_filters=no_filters, lr=0.001, batch_size=4, log_freq=1, full_sort=full_sort, no_cuda=True, cuda_condition=False, weight_decay=0.0, adam_beta1=0.9, adam_beta2=0.999, log_file=folder + "log", checkpoint_path=folder + name + ".pt", seed=42)
    set_seed(args.seed)
    seq_dic, max_item = get_seq_dic(args)
    args.item_size = max_item + 1
    loaders = get_dataloder(args, seq_dic)
    model = FMLPRecModel(args=args)
    fill(model)
    trainer = FMLPRecTrainer(model, *loaders, args)
    if full_sort:
        args.valid_rating_matrix, args.test_rating_matrix = get_rating_matrix(args.data_name, seq_dic, max_item)
    stopping = EarlyStopping(args.checkpoint_path, patience=2, verbose=True)
    for epoch in range(2):
        random.seed(epoch)
        trainer.train(epoch)
        scores, _ = trainer.valid(epoch, full_sort=full_sort)
        say(f"{name} {epoch}", *scores)
        stopping(np.array(scores[-1:]), trainer.model)
    keep(name, model)
    trainer.model.load_state_dict(torch.load(args.checkpoint_path))
    trainer.load(args.checkpoint_path)
    scores, _ = trainer.test(0, full_sort=full_sort)
    say(name + " test", *scores)


attempt("filters", lambda: run("filters", False, False))
attempt("attention", lambda: run("attention", True, True))
