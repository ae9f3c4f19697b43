import importlib
import sys
import numpy as np
import scipy.io

rng = np.random.RandomState(2)
for i, count in ((1, 8), (2, 4)):
    scipy.io.savemat(f"piececonst_r421_N1024_smooth{i}.mat", {"coeff": rng.randn(count, 17, 17).astype("float32"), "sol": rng.randn(count, 17, 17).astype("float32")})
held = ["exp_darcy.py", "--data-path", ".", "--ntotal", "12", "--ntrain", "8", "--ntest", "4", "--in_dim", "1", "--out_dim", "1", "--h", "17", "--w", "17", "--batch-size", "4", "--epochs", "2", "--step-size", "1", "--d-model", "8", "--num-basis", "3", "--num-token", "2", "--patch-size", "2,2"]
sys.argv = [*held, "--model", "LSM_2D", "--padding", "15,15"]

from probe import attempt, keep, say


def run(name):
    import exp_darcy as module

    if name == "FNO_2D":
        sys.argv = [*held, "--model", "FNO_2D", "--padding", "0,0"]
        module = importlib.reload(module)
    say(name, module.train_l2, module.test_l2)
    say(f"{name} parameters", *(np.abs(p.detach().numpy()).sum() for p in module.model.parameters()))
    if name == "LSM_2D":
        keep(name, module.model)


attempt("LSM_2D", lambda: run("LSM_2D"))
attempt("FNO_2D", lambda: run("FNO_2D"))
