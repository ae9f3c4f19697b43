import torch
import torch.nn as nn
import torch.optim as optim
from micronet.compression.quantization.wbwtab import quantize as binary
from micronet.compression.quantization.wqaq.dorefa import quantize as dorefa
from micronet.models import nin, nin_gc, resnet
from probe import array, attempt, fill, keep, say, whole


def run(name, make, prepare, **options):
    model = make()
    fill(model)
    quantised = prepare(model, inplace=False, **options)
    say(name + " layers", len(list(quantised.modules())), len(list(model.modules())), sum(type(m).__name__.startswith("Quant") for m in quantised.modules()))
    criterion = nn.CrossEntropyLoss()
    params = [{"params": [value], "lr": 0.01, "weight_decay": 1e-5} for key, value in dict(quantised.named_parameters()).items()]
    optimizer = optim.Adam(params, lr=0.01, weight_decay=1e-5)
    for step in range(2):
        quantised.train()
        data, target = array(step, 4, 3, 32, 32), whole(step, 10, 4)
        output = quantised(data)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        pred = output.data.max(1, keepdim=True)[1]
        say("%s %d" % (name, step), loss.item(), pred.eq(target.data.view_as(pred)).sum().item())
    with torch.no_grad():
        say(name + " before", sum(p.abs().sum().item() for p in model.parameters()))
    keep(name, quantised)


small = [8, 8, 8, 12, 12, 12, 8, 8]
grouped = [8, 8, 16, 32, 32, 32, 32, 32]
attempt("binary", lambda: run("binary", lambda: nin.Net(small), binary.prepare, A=2, W=2))
attempt("ternary", lambda: run("ternary", lambda: nin.Net(small), binary.prepare, A=32, W=3))
attempt("grouped", lambda: run("grouped", lambda: nin_gc.Net(grouped), binary.prepare, A=2, W=32))
attempt("dorefa", lambda: run("dorefa", lambda: nin.Net(small), dorefa.prepare, a_bits=4, w_bits=4))
