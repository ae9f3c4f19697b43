import sys
import torch

sys.argv = ["main.py", "made", "--epochs", "2", "-b", "4", "--lr", "0.02", "--lr-milestones", "1", "--atom-fea-len", "8", "--h-fea-len", "12", "--n-conv", "2", "--n-h", "2"]
import main  # noqa: E402
from cgcnn.data import GaussianDistance  # noqa: E402
from cgcnn.model import CrystalGraphConvNet  # noqa: E402
from probe import array, attempt, keep, say, whole  # noqa: E402


class Made(torch.utils.data.Dataset):
    def __init__(self, root):
        self.spread = GaussianDistance(dmin=0, dmax=8, step=2.0)

    def __len__(self):
        return 20

    def __getitem__(self, index):
        atoms = 3 + index % 3
        distances = array(index, atoms, 4).abs().numpy() * 3
        return (array(index + 30, atoms, 6), torch.Tensor(self.spread.expand(distances)), whole(index + 60, atoms, atoms, 4)), torch.Tensor([float(array(index, 1)) * 2 + 1]), f"made-{index}"


main.CIFData = Made


def run():
    main.main()
    saved = torch.load("model_best.pth.tar")
    model = CrystalGraphConvNet(6, 5, atom_fea_len=8, n_conv=2, h_fea_len=12, n_h=2)
    model.load_state_dict(saved["state_dict"])
    keep("best", model)
    say("saved", saved["epoch"], saved["best_mae_error"], saved["normalizer"]["mean"], saved["normalizer"]["std"])


attempt("main", run)
