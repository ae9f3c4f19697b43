import os
import numpy as np
import torch
from torch.optim import SGD, Adam
from model.rvae import RVAE
from selfModules.neg import NEG_loss
from utils.functional import kld_coef
from utils.parameters import Parameters
from probe import attempt, fill, keep, say


class Batches:
    end_token = "</s>"
    word_to_idx = {w: i for i, w in enumerate(["a", "b", "c", "d", "</s>", "<go>", "e", "f", "g", "h"])}

    def __init__(self):
        self.n = 0

    def next_batch(self, batch_size, target):
        self.n += 1
        rng = np.random.RandomState(self.n)
        words, chars = rng.randint(0, 10, (batch_size, 5)), rng.randint(0, 8, (batch_size, 5, 6))
        return [words, chars, rng.randint(0, 10, (batch_size, 6)), rng.randint(0, 8, (batch_size, 6, 6)), rng.randint(0, 10, (batch_size, 6))]

    def go_input(self, batch_size):
        return np.array([[5]] * batch_size), np.zeros((batch_size, 1, 6), dtype=int)

    def encode_characters(self, word):
        return [1, 2, 3, 0, 0, 0]

    def sample_word_from_distribution(self, distribution):
        say("distribution", *distribution)
        return list(self.word_to_idx)[int(distribution.argmax())]


def main():
    os.makedirs("data", exist_ok=True)
    params = Parameters(6, 5, 10, 8)
    params.word_embed_size, params.encoder_rnn_size, params.latent_variable_size, params.decoder_rnn_size = 12, 9, 7, 11
    params.kernels = [(1, 4), (2, 5), (3, 6)]
    params.sum_depth = 15
    np.save("data/word_embeddings.npy", np.random.RandomState(5).randn(10, 12))
    rvae = RVAE(params)
    fill(rvae)
    optimizer = Adam(rvae.learnable_parameters(), 0.01)
    batches = Batches()
    train_step, validate = rvae.trainer(optimizer, batches), rvae.validater(batches)
    for i in range(3):
        cross_entropy, kld, coef = train_step(i + 3500, 4, False, 0.0)
        say("train %d" % i, cross_entropy.data.cpu().numpy(), kld.data.cpu().numpy(), coef)
    cross_entropy, kld = validate(4, False)
    say("valid", cross_entropy, kld)
    print(rvae.sample(batches, 4, np.random.RandomState(2).normal(size=[1, 7]), False))
    torch.save(rvae.state_dict(), "trained_RVAE")
    rvae.load_state_dict(torch.load("trained_RVAE"))
    say("again", *[v.item() for v in validate(4, False)])
    keep("rvae", rvae)


def words():
    net = NEG_loss(10, 6)
    fill(net)
    optimizer = SGD(net.parameters(), 0.1)
    for i in range(3):
        rng = np.random.RandomState(i)
        out = net(torch.from_numpy(rng.randint(0, 10, 4)).long(), torch.from_numpy(rng.randint(0, 10, 4)).long(), 5).mean()
        optimizer.zero_grad()
        out.backward()
        optimizer.step()
        say("neg %d" % i, out.cpu().data.numpy())
    say("embeddings", np.abs(net.input_embeddings()).sum(), kld_coef(3))


attempt("rvae", main)
attempt("words", words)
