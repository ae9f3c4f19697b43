import os
import types
import numpy as np
import torch
import main_cmu_3d as module
import utils.model as networks
from utils import data_utils, loss_funcs
from probe import array, attempt, fill, fit, keep, say


class Motions:
    def __init__(self, path_to_data, actions, input_n, output_n, split, dct_n, **options):
        self.data_std, self.data_mean, self.dim_used, self.dct_n = 1, 0, np.arange(3, 78), dct_n
        self.length, self.seed, self.count = input_n + output_n, 50 * split, 6 if split == 0 else 3

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        seq = np.cumsum(np.random.RandomState(i + self.seed).randn(self.length, 114), axis=0)
        dct, _ = data_utils.get_dct_matrix(self.length)
        inputs = np.matmul(dct[: self.dct_n], seq[:, self.dim_used]).T
        return inputs.astype("float32"), inputs.astype("float32"), seq.astype("float32")


def cmu():
    nets = []

    def built(**options):
        net = networks.GCN(**options)
        fill(net, 3)
        nets.append(net)
        return net

    def said(*arguments, **options):
        found = trained(*arguments, **options)
        say("train", *found)
        return found

    trained = module.train
    module.nnmodel, module.train, module.CMU_Motion3D = types.SimpleNamespace(GCN=built), said, Motions
    os.makedirs("made", exist_ok=True)
    opt = types.SimpleNamespace(lr=1e-3, input_n=6, output_n=10, dct_n=8, linear_size=6, dropout=0.0, num_stage=2, is_load=False, data_dir_cmu="", actions="walking", test_batch=3, train_batch=3, job=0, epochs=3, lr_decay=2, lr_gamma=0.5, max_norm=True, ckpt="made")
    module.main(opt)
    keep("cmu", nets[0])
    state = torch.load("made/ckpt_main_cmu_3d_in6_out10_dctn8_last.pth.tar", weights_only=False)
    other = networks.GCN(input_feature=8, hidden_feature=6, p_dropout=0.0, num_stage=2, node_n=75)
    other.load_state_dict(state["state_dict"])
    say("loaded", state["epoch"], state["lr"], state["err"])


def angles(name, loss_of):
    net = networks.GCN(input_feature=7, hidden_feature=5, p_dropout=0.0, num_stage=1, node_n=48)
    fill(net, 4)
    inputs, all_seq = array(1, 3, 48, 7) * 0.2, array(2, 3, 12, 99) * 0.3
    if name in ("kinematics", "euler"):
        with torch.no_grad():
            say(name, loss_of(net(inputs), all_seq, np.arange(6, 54)).item())
        return
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    fit(name, net, lambda step: loss_of(net(inputs), all_seq, np.arange(6, 54)), optimizer, 2)


attempt("cmu", cmu)
attempt("kinematics", lambda: angles("kinematics", lambda o, s, d: loss_funcs.mpjpe_error(o, s, 4, d, 7)))
attempt("euler", lambda: angles("euler", lambda o, s, d: loss_funcs.euler_error(o, s, 4, d, 7)))
attempt("sen", lambda: angles("sen", lambda o, s, d: loss_funcs.sen_loss(o, s, d, 7)))
