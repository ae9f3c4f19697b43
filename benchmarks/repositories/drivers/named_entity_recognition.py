import numpy as np
from models.bilstm_crf import BILSTM_Model
from models.config import TrainingConfig, LSTMConfig
from probe import fill, keep, say


def data(seed, n, end=True):
    r = np.random.RandomState(seed)
    words, tags = [], []
    for _ in range(n):
        k = r.randint(3, 9)
        words.append(["w%d" % i for i in r.randint(0, 20, k)])
        tags.append(["t%d" % i for i in r.randint(0, 4, k)])
        if end:
            words[-1].append("<end>")
            tags[-1].append("<end>")
    return words, tags


def run(name, crf):
    TrainingConfig.epoches, TrainingConfig.print_step, TrainingConfig.batch_size, TrainingConfig.lr = 2, 2, 4, 0.01
    LSTMConfig.emb_size, LSTMConfig.hidden_size = 12, 10
    word2id = {"w%d" % i: i for i in range(20)}
    tag2id = {"t%d" % i: i for i in range(4)}
    for m in (word2id, tag2id):
        for extra in ("<unk>", "<pad>", "<start>", "<end>"):
            m[extra] = len(m)
    model = BILSTM_Model(len(word2id), len(tag2id), crf=crf)
    fill(model.model)
    words, tags = data(1, 13, crf)
    dev_words, dev_tags = data(2, 6, crf)
    model.train(words, tags, dev_words, dev_tags, word2id, tag2id)
    say(name, model._best_val_loss)
    keep(name, model.model)
    pred, gold = model.test(dev_words, dev_tags, word2id, tag2id)
    say(name + " predicted", *[int(tag[1:]) if tag[1:].isdigit() else -1 for row in pred for tag in row])


run("bilstm", False)
run("crf", True)
