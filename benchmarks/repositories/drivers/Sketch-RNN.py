import numpy as np

rng = np.random.RandomState(0)
strokes = rng.randn(8, 13, 3).astype("float32")
strokes[:, :, 2] = rng.rand(8, 13) > 0.7
np.savez("cat.npz", train=strokes)

import torch
import sketch_rnn
from probe import attempt, fill, keep, say
from sketch_rnn import Model, hp

hp.enc_hidden_size, hp.dec_hidden_size, hp.Nz, hp.M, hp.batch_size = 6, 8, 4, 20, 5
drawn = []
sketch_rnn.make_image = lambda sequence, epoch, name="": drawn.append(sequence)


def run():
    np.random.seed(0)
    model = Model()
    fill(model.encoder)
    fill(model.decoder, 1)
    for epoch in range(3):
        model.train(epoch + 1)
        say("step %d" % epoch, model.mu.sum().item(), model.pi.std().item(), model.eta_step, model.encoder_optimizer.param_groups[0]["lr"])
    np.random.seed(1)
    model.conditional_generation(3)
    say("drawn", len(drawn[0]) > 0, *drawn[0][0])
    keep("encoder", model.encoder)
    keep("decoder", model.decoder)


attempt("sketch", run)
