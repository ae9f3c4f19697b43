import torch
from prednet import PredNet
from probe import array, attempt, fill, keep, say


def run(name, mode):
    model = PredNet((3, 4, 6), (3, 4, 6), output_mode=mode)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    layer_weights = torch.FloatTensor([[1.0], [0.1], [0.1]])
    time_weights = 1.0 / 3 * torch.ones(4, 1)
    time_weights[0] = 0
    for step in range(3):
        for group in optimizer.param_groups:
            group["lr"] = 0.001 if step < 2 else 0.0001
        frames = torch.sigmoid(array(step, 2, 4, 3, 16, 16))
        errors = model(frames)
        if mode == "error":
            batch = errors.size(0)
            loss = torch.mm(errors.view(-1, 4), time_weights)
            loss = torch.mm(loss.view(batch, -1), layer_weights)
            loss = torch.mean(loss)
        else:
            loss = (errors - frames[:, -1]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item())
    say(name + " text", len(repr(model.conv0).split("max_val=255")))
    keep(name, model)


attempt("error", lambda: run("error", "error"))
attempt("prediction", lambda: run("prediction", "prediction"))
