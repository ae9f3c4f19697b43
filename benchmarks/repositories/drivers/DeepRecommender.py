import random
import sys
import tempfile
import numpy as np
import torch
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp()
import os
for part, count in (("train", 60), ("valid", 20)):
    os.makedirs(f"{folder}/{part}")
    rng = np.random.RandomState(count)
    with open(f"{folder}/{part}/ratings.txt", "w") as f:
        seen = set()
        for _ in range(count):
            user, item = int(rng.randint(9)), int(rng.randint(12))
            if (user, item) not in seen:
                seen.add((user, item))
                f.write(f"{user}\t{item}\t{float(rng.randint(1, 6))}\n")
with open(f"{folder}/train/every.txt", "w") as f:
    for user in range(9):
        f.write(f"{user}\t{user + 12}\t3.0\n")
    for item in range(12):
        f.write(f"0\t{item + 30}\t2.0\n9\t{item}\t4.0\n")

sys.argv = ["run.py", "--path_to_train_data", folder + "/train", "--path_to_eval_data", folder + "/valid", "--batch_size", "4", "--hidden_layers", "12,8,6", "--num_epochs", "2", "--lr", "0.01", "--summary_frequency", "1", "--logdir", folder + "/logs"]

import run as module
from reco_encoder.model.model import AutoEncoder


def train(name, **options):
    random.seed(3)
    for option, value in options.items():
        setattr(module.args, option, value)
    module.args.logdir = folder + "/" + name
    module.main()
    state = torch.load(module.args.logdir + "/model.last")
    net = AutoEncoder([len(state["encode_w.0"][0]), 12, 8, 6], nl_type=module.args.non_linearity_type, is_constrained=module.args.constrained)
    net.load_state_dict(state)
    keep(name, net)


attempt("momentum", lambda: train("momentum", optimizer="momentum"))
attempt("constrained", lambda: train("constrained", optimizer="adam", constrained=True, non_linearity_type="swish", aug_step=1))
attempt("adagrad", lambda: train("adagrad", optimizer="adagrad", constrained=False, non_linearity_type="elu", aug_step=-1, skip_last_layer_nl=True))
attempt("rmsprop", lambda: train("rmsprop", optimizer="rmsprop", non_linearity_type="relu6"))
