import argparse
import os
import sys
import types
import numpy as np
import torch
import main as module
import model
from probe import attempt, fill, keep, quiet, say


def batches(seed, count):
    rng = np.random.RandomState(seed)
    made = []
    for _ in range(count):
        src = rng.uniform(-1, 1, size=(4, 3, 24))
        angles = rng.uniform(0, 0.7, size=(4, 3))
        turns = []
        for z, y, x in angles:
            about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
            about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
            about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
            turns.append(about_x @ about_y @ about_z)
        turn, move = np.stack(turns), rng.uniform(-0.5, 0.5, size=(4, 3))
        tgt = turn @ src + move[:, :, None]
        back = np.transpose(turn, (0, 2, 1))
        made.append([torch.from_numpy(np.ascontiguousarray(a).astype("float32")) for a in (src, tgt, turn, move, back, -(back @ move[:, :, None])[:, :, 0], angles, -angles[:, ::-1])])
    return made


def r2(true, found):
    return 1 - ((true - found) ** 2).sum() / ((true - true.mean(0)) ** 2).sum()


def run(name, **options):
    model.r2_score = r2
    args = dict(exp_name="made", emb_nn="dgcnn", attention="transformer", head="svd", n_emb_dims=32, n_blocks=1, n_heads=4, n_iters=2, discount_factor=0.9, n_ff_dims=48, n_keypoints=16, temp_factor=100, cat_sampler="softmax", dropout=0.0, cycle_consistency_loss=0.1, feature_alignment_loss=0.1, n_subsampled_points=24, model_path="", use_sgd=True, lr=2e-6, momentum=0.9, epochs=3)
    args = argparse.Namespace(**{**args, **options})
    os.makedirs("checkpoints/made/models", exist_ok=True)
    net = model.PRNet(args)
    fill(net, 1)
    quiet(net)
    net.logger = types.SimpleNamespace(write=lambda info: say(f"{name} {info['stage']} {info['epoch']}", *(info[k] for k in ("loss", "feature_alignment_loss", "cycle_consistency_loss", "r_ab_rmse", "t_ab_mae", "r_ab_r2_score"))))
    module.train(args, net, batches(3, 3), batches(4, 2))
    again = model.PRNet(argparse.Namespace(**{**vars(args), "model_path": "checkpoints/made/models/model.2.t7"}))
    again.eval()
    turn, move = again.predict(*batches(5, 1)[0][:2], n_iters=2)
    say(f"{name} predicted", *turn.flatten().tolist()[:9], *move.flatten().tolist()[:6])
    keep(name, net)


attempt("pointnet mlp", lambda: run("pointnet mlp", emb_nn="pointnet", attention="identity", head="mlp", n_keypoints=24))
attempt("dgcnn svd", lambda: run("dgcnn svd"))
