import numpy as np
import torch
from model import DA_RNN
from probe import fill, keep, say


def main():
    r = np.random.RandomState(0)
    X, y = r.randn(60, 5), r.randn(60)
    model = DA_RNN(X, y, 6, 8, 8, 16, 0.01, 2)
    fill(model.Encoder, 1)
    fill(model.Decoder, 2)
    model.train()
    say("losses", *model.iter_losses)
    say("epochs", *model.epoch_losses)
    say("test", *model.test())
    keep("darnn", model.Encoder)
    keep("darnn2", model.Decoder)


main()
