import os
import sys
import types
import numpy as np
import scipy.sparse
import torch

for name in ("robust_laplacian", "potpourri3d", "human_segmentation_original_dataset"):
    sys.modules[name] = types.ModuleType(name)
sys.path.append("../../src/")
import diffusion_net


class Shapes(torch.utils.data.Dataset):
    def __init__(self, folder, train, k_eig, use_cache, op_cache_dir):
        self.made = [self.shape(seed + 10 * train) for seed in range(3 if train else 2)]

    def shape(self, seed):
        rng = np.random.RandomState(seed)
        count, faces = 14 + seed % 4, 11
        links = scipy.sparse.random(count, count, 0.3, random_state=seed).toarray()
        links = links + links.T
        laplacian = np.diag(links.sum(1)) - links
        evals, evecs = np.linalg.eigh(laplacian)
        evecs = evecs * np.sign(evecs[0])
        sparse = [scipy.sparse.coo_matrix(m) for m in (laplacian, scipy.sparse.random(count, count, 0.3, random_state=seed + 1), scipy.sparse.random(count, count, 0.3, random_state=seed + 2))]
        L, gradX, gradY = (diffusion_net.utils.sparse_np_to_torch(m).float() for m in sparse)
        single = lambda a: torch.from_numpy(np.ascontiguousarray(a).astype("float32"))
        return single(rng.randn(count, 3)), torch.from_numpy(rng.randint(0, count, size=(faces, 3))), single(rng.randn(count, 3, 3)), single(rng.rand(count) + 0.5), L, single(np.maximum(evals[:9], 1e-4)), single(evecs[:, :9]), gradX, gradY, torch.from_numpy(rng.randint(0, 8, size=faces))

    def __len__(self):
        return len(self.made)

    def __getitem__(self, i):
        return self.made[i]


sys.modules["human_segmentation_original_dataset"].HumanSegOrigDataset = Shapes
sys.argv = ["human_segmentation_original.py"]
os.makedirs("data/saved_models", exist_ok=True)
from probe import attempt, keep, say


def run():
    import human_segmentation_original as module

    keep("model", module.model)
    say("accuracy", module.train_acc, module.test_acc)


attempt("train", run)
