import torch
from convlstm import ConvLSTM
from probe import array, attempt, fill, keep, say


def run(name, first, everything, bias):
    net = ConvLSTM(2, [4, 3], [(3, 3), (5, 3)], 2, batch_first=first, bias=bias, return_all_layers=everything)
    fill(net)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3, momentum=0.9, centered=True)
    for step in range(3):
        x = array(step, 2, 4, 2, 8, 6) if first else array(step, 4, 2, 2, 8, 6)
        layers, states = net(x)
        loss = sum((layer**2).mean() for layer in layers) + states[-1][0].abs().mean() + states[0][1].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), len(layers), *layers[-1].shape)
    keep(name, net)
    try:
        net(x, hidden_state=states)
    except NotImplementedError:
        say(name + " stateful", 0)
    try:
        ConvLSTM(2, 4, [3, 3], 1)
    except ValueError as error:
        say(name + " wrong", len(str(error)))


attempt("all", lambda: run("all", True, True, True))
attempt("last", lambda: run("last", False, False, False))
