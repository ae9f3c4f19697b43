import numpy as np
import torch
import train as module
from models import DecoderWithAttention, Encoder
from probe import array, attempt, fill, keep, quiet, say, whole

module.word_map = {"<start>": 9, "<end>": 10, "<pad>": 0}
module.corpus_bleu = lambda references, hypotheses: sum(len(h) + sum(h) for h in hypotheses) + sum(len(c) for r in references for c in r)


def batch(seed):
    caps = whole(seed, 9, 4, 7)
    caps[:, 0] = 9
    return array(seed, 4, 3, 40, 40), caps, torch.LongTensor([[5], [7], [3], [6]]), caps.unsqueeze(1).repeat(1, 2, 1)


def run(name, fine_tune, embeddings):
    decoder = DecoderWithAttention(attention_dim=8, embed_dim=6, decoder_dim=7, vocab_size=12, encoder_dim=512, dropout=0.0)
    encoder = Encoder(encoded_image_size=3)
    fill(decoder, 2)
    fill(encoder, 3)
    if embeddings:
        decoder.load_pretrained_embeddings(array(8, 12, 6))
        decoder.fine_tune_embeddings(fine_tune)
    encoder.fine_tune(fine_tune)
    heads = torch.optim.Adam(params=filter(lambda p: p.requires_grad, decoder.parameters()), lr=4e-3, eps=1e-5)
    bodies = torch.optim.Adam(params=filter(lambda p: p.requires_grad, encoder.parameters()), lr=1e-5, eps=1e-5) if fine_tune else None
    given = [batch(i) for i in range(2)]
    for epoch in range(2):
        module.train([b[:3] for b in given], encoder, decoder, torch.nn.CrossEntropyLoss(), bodies, heads, epoch)
        say(f"{name} {epoch}", module.validate(given, encoder, decoder, torch.nn.CrossEntropyLoss()))
        module.adjust_learning_rate(heads, 0.8)
    keep(name + " decoder", decoder)
    keep(name + " encoder", encoder)


attempt("frozen", lambda: run("frozen", False, True))
attempt("tuned", lambda: run("tuned", True, False))
