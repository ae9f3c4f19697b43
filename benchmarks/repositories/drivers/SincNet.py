import torch
import torch.nn as nn
import torch.optim as optim
from dnn_models import MLP, SincNet, sinc_conv
from probe import array, attempt, fill, keep, quiet, say, whole


def options(norm):
    ln, bn = norm == "layer", norm == "batch"
    cnn = {"input_dim": 400, "fs": 8000, "cnn_N_filt": [8, 6, 6], "cnn_len_filt": [25, 5, 5], "cnn_max_pool_len": [3, 3, 3], "cnn_use_laynorm_inp": True, "cnn_use_batchnorm_inp": False, "cnn_use_laynorm": [ln] * 3, "cnn_use_batchnorm": [bn] * 3, "cnn_act": ["leaky_relu"] * 3, "cnn_drop": [0.0] * 3}
    mlp = lambda inputs, last: {"input_dim": inputs, "fc_lay": [16, last], "fc_drop": [0.0, 0.0], "fc_use_batchnorm": [True, False], "fc_use_laynorm": [False, False], "fc_use_laynorm_inp": True, "fc_use_batchnorm_inp": False, "fc_act": ["leaky_relu", "softmax"] if last == 5 else ["relu", "linear"]}
    return cnn, mlp


def run(norm):
    cnn, mlp = options(norm)
    nets = [SincNet(cnn)]
    nets.append(MLP(mlp(nets[0].out_dim, 12)))
    nets.append(MLP(mlp(12, 5)))
    for i, net in enumerate(nets):
        low = {n: p.data.clone() for n, p in net.named_parameters() if "hz_" in n}
        fill(net, i)
        for n, p in net.named_parameters():
            if n in low:
                p.data.copy_(low[n])
    optimizers = [optim.RMSprop(net.parameters(), lr=0.001, alpha=0.95, eps=1e-8) for net in nets]
    cost = nn.NLLLoss()
    loss_sum = 0
    for step in range(3):
        for net in nets:
            net.train()
        inp, lab = array(step, 6, 400), whole(step, 5, 6).float()
        pout = nets[2](nets[1](nets[0](inp)))
        pred = torch.max(pout, dim=1)[1]
        loss = cost(pout, lab.long())
        err = torch.mean((pred != lab.long()).float())
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        loss_sum = loss_sum + loss.detach()
        say("%s %d" % (norm, step), loss.item(), err, loss_sum / (step + 1))
    torch.save({"CNN_model_par": nets[0].state_dict(), "DNN1_model_par": nets[1].state_dict()}, norm + ".pkl")
    nets[0].load_state_dict(torch.load(norm + ".pkl")["CNN_model_par"])
    for net in nets:
        net.eval()
    with torch.no_grad():
        signal, pout = array(8, 1200), torch.zeros(3, 5)
        frames = torch.zeros([4, 400])
        for i in range(3):
            frames[i, :] = signal[i * 400 : (i + 1) * 400]
        pout[0:3, :] = nets[2](nets[1](nets[0](frames[0:3])))
        value, best = torch.max(torch.sum(pout, dim=0), 0)
        say(norm + " eval", value, best)
    for i, net in enumerate(nets):
        keep("%s%d" % (norm, i), net)


def old():
    conv = sinc_conv(6, 31, 8000)
    optimizer = optim.RMSprop(conv.parameters(), lr=1e-4)
    for step in range(2):
        optimizer.zero_grad()
        loss = (conv(array(step, 2, 1, 100)) ** 2).mean()
        loss.backward()
        optimizer.step()
        say("old %d" % step, loss.item())
    keep("old", conv)


attempt("layer", lambda: run("layer"))
attempt("batch", lambda: run("batch"))
attempt("none", lambda: run("none"))
attempt("old", old)
