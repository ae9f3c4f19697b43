import sys
sys.argv = ["main.py", "--model", "TranAD", "--dataset", "synthetic", "--retrain"]
import torch
import torch.nn as nn
import main
from main import backprop, convert_to_windows, load_model, save_model
from probe import array, attempt, fill, keep, quiet, say


def run(name, rows=14, feats=3):
    main.args.model = name
    model, optimizer, scheduler, epoch, accuracies = load_model(name, feats)
    fill(model)
    quiet(model)
    for m in model.modules():
        if isinstance(m, nn.MultiheadAttention):
            m.dropout = 0.0
    data = torch.sigmoid(array(1, rows, feats)).double()
    windows = data
    if model.name in ["Attention", "DAGMM", "USAD", "MSCRED", "CAE_M", "GDN", "MTAD_GAT", "MAD_GAN"] or "TranAD" in model.name:
        windows = convert_to_windows(data, model)
    for e in range(2):
        loss, lr = backprop(e, model, windows, data, optimizer, scheduler)
        accuracies.append((loss, lr))
        say("%s %d" % (name, e), loss, lr)
    save_model(model, optimizer, scheduler, 1, accuracies)
    model.eval()
    if name != "Attention":
        loss, predicted = backprop(0, model, windows, data, optimizer, scheduler, training=False)
        say(name + " test", loss.sum(), predicted.sum(), *predicted.shape)
    keep(name, model)


for name in ["TranAD", "TranAD_Basic", "TranAD_Transformer", "TranAD_Adversarial", "TranAD_SelfConditioning", "LSTM_Univariate", "LSTM_AD", "DAGMM", "OmniAnomaly", "USAD", "MAD_GAN", "CAE_M", "Attention"]:
    attempt(name, lambda: run(name))
