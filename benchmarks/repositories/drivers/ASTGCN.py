import os
import sys
import tempfile
import numpy as np
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp()
rng = np.random.RandomState(0)
with open(folder + "/adj.csv", "w") as f:
    f.write("from,to,cost\n" + "".join(f"{i},{j},{1 + i + j}\n" for i in range(6) for j in range(6) if i != j and (i + j) % 3))
sets = {}
for name, count in (("train", 8), ("val", 4), ("test", 4)):
    sets[name + "_x"] = rng.randn(count, 6, 3, 12)
    sets[name + "_target"] = np.maximum(rng.randn(count, 6, 12) * 3, 0)
np.savez(folder + "/signal_r1_d0_w0_astcgn.npz", mean=np.ones((1, 1, 3, 1)), std=np.ones((1, 1, 3, 1)) * 2, **sets)
with open(folder + "/made.conf", "w") as f:
    f.write(f"[Data]\nadj_filename = {folder}/adj.csv\ngraph_signal_matrix_filename = {folder}/signal.npz\nnum_of_vertices = 6\npoints_per_hour = 12\nnum_for_predict = 12\nlen_input = 12\ndataset_name = made\n")
    f.write("[Training]\nuse_nni = 0\nmode = train\nctx = 0\nin_channels = 1\nnb_block = 2\nK = 3\nnb_chev_filter = 4\nnb_time_filter = 4\nbatch_size = 4\nmodel_name = astgcn_r\ndataset_name = made\nnum_of_weeks = 0\nnum_of_days = 0\nnum_of_hours = 1\nstart_epoch = 0\nepochs = 2\nlearning_rate = 0.001\nloss_function = masked_mae\nmetric_method = mask\nmissing_value = 0.0\n")


def run(script, loss):
    sys.argv = [script, "--config", folder + "/made.conf"]
    module = __import__(script)
    fill(module.net)
    module.loss_function = loss
    module.train_main()
    keep(f"{script} {loss}", module.net)
    saved = [name for name in sorted(os.listdir(module.params_path)) if name.startswith("output")]
    result = np.load(os.path.join(module.params_path, saved[-1]))
    say(f"{script} {loss} predicted", len(saved), np.abs(result["prediction"]).mean(), result["input"].mean())


attempt("masked_mae", lambda: run("train_ASTGCN_r", "masked_mae"))
attempt("masked_mse", lambda: run("train_ASTGCN_r", "masked_mse"))
