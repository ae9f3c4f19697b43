import types
import torch
import train as module
from probe import array, attempt, keep, say, whole

letters = whole(1, 9, 20, 5).tolist()


class Batches:
    def __init__(self, seed, count, repeat):
        self.seed, self.count, self.repeat, self.epoch = seed, count, repeat, 0

    def __iter__(self):
        while True:
            for i in range(self.count):
                self.epoch = self.epoch if not i else self.epoch + 0
                seed = self.seed + i
                yield types.SimpleNamespace(premise=whole(seed, 20, 3, 5), hypothesis=whole(seed + 20, 20, 3, 4 + i), label=whole(seed + 40, 3, 3))
            self.epoch += 1
            if not self.repeat:
                return


class Data:
    TEXT = types.SimpleNamespace(vocab=types.SimpleNamespace(vectors=array(0, 20, 6)))
    max_word_len = 5

    def __init__(self):
        self.train_iter, self.dev_iter, self.test_iter = Batches(1, 2, True), Batches(60, 2, False), Batches(80, 2, False)

    def characterize(self, batch):
        return [[letters[w] for w in words] for words in batch.data.cpu().numpy().astype(int).tolist()]


def run(name, use_char_emb):
    args = types.SimpleNamespace(char_dim=4, char_hidden_size=5, data_type="SNLI", dropout=0.0, epoch=2, gpu=-1, hidden_size=6, learning_rate=0.001, max_sent_len=4, num_perspective=3, print_freq=2, use_char_emb=use_char_emb, word_dim=6, char_vocab_size=9, word_vocab_size=20, class_size=3, max_word_len=5, model_time="now")
    best = module.train(args, Data())
    keep(name, best)
    say(name, *(float(v) for v in module.test(best, args, Data(), mode="dev")))


attempt("words", lambda: run("words", False))
attempt("letters", lambda: run("letters", True))
