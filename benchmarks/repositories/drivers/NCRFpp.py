from types import SimpleNamespace
import numpy as np
import torch
import torch.optim as optim
from main import batchify_sequence_labeling_with_label, lr_decay
from model.seqlabel import SeqLabel
from probe import attempt, fill, keep, quiet, say


class Alphabet:
    def __init__(self, n):
        self.n = n

    def size(self):
        return self.n


def sentences(seed):
    rng = np.random.RandomState(seed)
    made = []
    for n in (4, 6, 3):
        made.append([list(rng.randint(1, 20, n)), [[int(f)] for f in rng.randint(1, 5, n)], [list(rng.randint(1, 9, rng.randint(1, 5))) for _ in range(n)], list(rng.randint(1, 5, n))])
    return made


def run(name, words, chars, crf, nbest=0):
    data = SimpleNamespace(use_crf=crf, use_char=True, char_feature_extractor=chars, word_feature_extractor=words, HP_gpu=False, average_batch_loss=True, label_alphabet_size=5, HP_batch_size=3, HP_char_hidden_dim=6, char_emb_dim=4, char_alphabet=Alphabet(9), pretrain_char_embedding=None, HP_dropout=0.3, sentence_classification=False, word_emb_dim=7, word_alphabet=Alphabet(20), pretrain_word_embedding=None, feature_num=1, feature_emb_dims=[3], feature_alphabets=[Alphabet(5)], pretrain_feature_embeddings=[None], HP_bilstm=True, HP_lstm_layer=1, HP_hidden_dim=8, HP_cnn_layer=2)
    model = SeqLabel(data)
    fill(model)
    quiet(model)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-8)
    for step in range(3):
        model.train()
        model.zero_grad()
        optimizer = lr_decay(optimizer, step, 0.05, 0.05)
        batch = batchify_sequence_labeling_with_label(sentences(step), False, True)
        word, features, wordlen, wordrecover, char, charlen, charrecover, label, mask = batch
        loss, tag_seq = model.calculate_loss(word, features, wordlen, char, charlen, charrecover, label, mask)
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), (tag_seq * mask.long()).sum().item(), *wordrecover.tolist())
    model.eval()
    with torch.no_grad():
        tags = model(word, features, wordlen, char, charlen, charrecover, mask)
        say(name + " tags", *(tags * mask.long()).reshape(-1).tolist())
        if nbest:
            scores, best = model.decode_nbest(word, features, wordlen, char, charlen, charrecover, mask, nbest)
            say(name + " nbest", *scores.reshape(-1).tolist(), *(best[:, :3] * 1).reshape(-1).tolist())
    keep(name, model)


attempt("lstm", lambda: run("lstm", "LSTM", "CNN", True, nbest=2))
attempt("gru", lambda: run("gru", "GRU", "LSTM", True))
attempt("cnn", lambda: run("cnn", "CNN", "GRU", False))
attempt("both", lambda: run("both", "LSTM", "ALL", False))
