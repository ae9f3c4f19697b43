import random
import tempfile
import numpy as np
from Coach import Coach
from othello.OthelloGame import OthelloGame
from othello.pytorch import NNet
from utils import dotdict
from probe import attempt, fill, keep, say

NNet.args.update({"epochs": 2, "batch_size": 8, "num_channels": 8, "dropout": 0.0})


def wrapped(game):
    nnet = NNet.NNetWrapper(game)
    fill(nnet.nnet)
    return nnet


def examples():
    rng = np.random.RandomState(3)
    return [(rng.randint(-1, 2, size=(6, 6)), list(rng.dirichlet(np.ones(37))), int(rng.choice([-1, 1]))) for _ in range(16)]


def train():
    nnet = wrapped(OthelloGame(6))
    np.random.seed(4)
    nnet.train(examples())
    keep("net", nnet.nnet)
    pi, v = nnet.predict(examples()[0][0])
    say("predicted", pi.sum(), pi.max(), v[0])


def learn():
    np.random.seed(1)
    random.seed(1)
    game, folder = OthelloGame(6), tempfile.mkdtemp()
    nnet = wrapped(game)
    args = dotdict({"numIters": 1, "numEps": 1, "tempThreshold": 4, "updateThreshold": 0.0, "maxlenOfQueue": 200, "numMCTSSims": 3, "arenaCompare": 2, "cpuct": 1, "checkpoint": folder, "load_model": False, "load_folder_file": (folder, "best.pth.tar"), "numItersForTrainExamplesHistory": 2})
    coach = Coach(game, nnet, args)
    coach.learn()
    say("learned", len(coach.trainExamplesHistory[0]), coach.trainExamplesHistory[0][5][2])
    nnet.load_checkpoint(folder, "best.pth.tar")
    pi, v = nnet.predict(examples()[1][0])
    say("after", pi.max(), v[0])


attempt("train", train)
attempt("learn", learn)
