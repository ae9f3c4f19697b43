import argparse
from collections import defaultdict

import torch

DEFAULT = 3


def add_more(parser):
    parser.add_argument("--from-elsewhere", type=float, default=0.5)


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=str)
    parser.add_argument("-n", "--num-steps", type=int, default=5)
    parser.add_argument("--lr", default=1e-3)
    parser.add_argument("--name", default="x")
    parser.add_argument("--resume")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--shape", type=lambda text: tuple(text), default=(1,))
    parser.add_argument("--steps", type=int, default=DEFAULT)
    parser.add_argument("--k", dest="kept", type=int, default=1)
    parser.add_argument("--decay", type=int, default=0.9)
    parser.add_argument("--device", default="cpu")
    add_more(parser)
    args = parser.parse_args()
    args.device = torch.device(args.device)
    return args


args = get_args()
#? str
args.data
#? int
args.num_steps
#? float | str
args.lr
#? str
args.name
#? None | str
args.resume
#? int
args.seed
#? bool
args.fast
#? list[int]
args.sizes
#? unknown
args.shape
#? int | unknown
args.steps
#? int
args.kept
#? float | int
args.decay
#? float
args.from_elsewhere
#? str | unknown
args.device
#? unknown
args.never_added

known, rest = argparse.ArgumentParser().parse_known_args()
#? int
known.num_steps


class Storage:
    def __init__(self, steps):
        self.steps = steps
        self.at = 0

    def count(self):
        self.at = (self.at + 1) % self.steps


#? int
Storage(args.num_steps).steps
#? 0 | int
Storage(args.num_steps).at

counts = defaultdict(int)
counts["a"] += 1
#? int
counts["a"]
