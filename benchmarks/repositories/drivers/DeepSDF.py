import json
import os
import random
import tempfile
import numpy as np
import torch
import deep_sdf
import deep_sdf.workspace as ws
import reconstruct
import train_deep_sdf
from probe import attempt, keep, say

folder = tempfile.mkdtemp()
os.makedirs(os.path.join(folder, "data", ws.sdf_samples_subdir, "made", "chairs"))
for i in range(4):
    points = np.random.RandomState(i).randn(60, 3).astype("float32") * 0.5
    sdf = np.linalg.norm(points, axis=1, keepdims=True) - 0.8 - 0.05 * i
    all_samples = np.concatenate([points, sdf], 1).astype("float32")
    all_samples[3, 3] = np.nan
    np.savez(os.path.join(folder, "data", ws.sdf_samples_subdir, "made", "chairs", f"c{i}.npz"), pos=all_samples[all_samples[:, 3] != 0][:40], neg=-all_samples[20:])
with open(folder + "/split.json", "w") as f:
    json.dump({"made": {"chairs": [f"c{i}" for i in range(4)]}}, f)


def run(name, network, epochs, split=1, continue_from=None, **more):
    place = os.path.join(folder, name)
    os.makedirs(place, exist_ok=True)
    specs = {"Description": name, "DataSource": folder + "/data", "TrainSplit": folder + "/split.json", "NetworkArch": "deep_sdf_decoder", "NetworkSpecs": network, "CodeLength": 5, "NumEpochs": epochs, "SnapshotFrequency": 2, "AdditionalSnapshots": [1], "LearningRateSchedule": [{"Type": "Step", "Initial": 0.005, "Interval": 1, "Factor": 0.5}, {"Type": "Warmup", "Initial": 0.001, "Final": 0.01, "Length": 3}], "SamplesPerScene": 20, "ScenesPerBatch": 2, "DataLoaderThreads": 0, "ClampingDistance": 0.3, "CodeRegularization": True, "CodeRegularizationLambda": 1e-2, "LogFrequency": 1, **more}
    with open(place + "/specs.json", "w") as f:
        json.dump(specs, f)
    np.random.seed(3)
    train_deep_sdf.main_function(place, continue_from, split)
    logs = train_deep_sdf.load_logs(place)
    say(name + " losses", *logs[0])
    say(name + " sizes", *(float(size) for size in logs[3]), *(values[-1] for values in logs[4].values()))
    decoder, epoch = ws.load_decoder(place, specs, "latest")
    keep(name, decoder)
    codes = ws.load_latent_vectors(place, "latest")
    say(name + " codes", epoch, codes.abs().sum(), codes[1, 2])
    return decoder


def rebuild():
    random.seed(5)
    np.random.seed(5)
    specs = ws.load_experiment_specifications(os.path.join(folder, "weighted"))
    decoder, _ = ws.load_decoder(os.path.join(folder, "weighted"), specs, "latest")
    samples = deep_sdf.data.read_sdf_samples_into_ram(os.path.join(folder, "data", ws.sdf_samples_subdir, "made", "chairs", "c1.npz"))
    samples = [deep_sdf.data.remove_nans(part) for part in samples]
    loss, latent = reconstruct.reconstruct(decoder.module, 6, 5, samples, 0.01, 0.3, num_samples=20, lr=5e-3, l2reg=True)
    say("reconstructed", float(loss), *latent[0].tolist())


attempt("weighted", lambda: run("weighted", {"dims": [16, 16, 16], "dropout": [0], "dropout_prob": 0.0, "norm_layers": [0, 1, 2], "latent_in": [2], "xyz_in_all": False, "use_tanh": False, "latent_dropout": False, "weight_norm": True}, 2, 2, GradientClipNorm=0.5))
attempt("continued", lambda: run("weighted", {"dims": [16, 16, 16], "dropout": [0], "dropout_prob": 0.0, "norm_layers": [0, 1, 2], "latent_in": [2], "xyz_in_all": False, "use_tanh": False, "latent_dropout": False, "weight_norm": True}, 3, 1, "latest"))
attempt("normed", lambda: run("normed", {"dims": [16, 16], "norm_layers": [0], "latent_in": [], "xyz_in_all": True, "use_tanh": True}, 2, 1, CodeBound=0.4))
attempt("rebuild", rebuild)
