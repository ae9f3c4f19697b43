import torch
import torch.nn as nn
from dnc import DNC
from probe import array, attempt, fill, keep, say


def run(name, **options):
    net = DNC(input_size=6, hidden_size=10, num_hidden_layers=1, nr_cells=5, cell_size=4, read_heads=2, **options)
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01, eps=1e-9, betas=[0.9, 0.98])
    layers = options.get("num_layers", 1)
    mhx, rv = None, None
    for step in range(3):
        optimizer.zero_grad()
        h = torch.zeros(1, 3, 10)
        chx = [(h, h) if options.get("rnn_type", "lstm") == "lstm" else h for _ in range(layers)]
        data = array(step, 3, 7, 6)
        result = net(data, (chx, mhx, rv), reset_experience=True, pass_through_memory=True)
        output, (chx, mhx, rv) = result[0], result[1]
        loss = torch.mean((torch.sigmoid(output) - torch.sigmoid(torch.ones_like(output))) ** 2)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
        mhx = [{k: (v.detach() if torch.is_tensor(v) else v) for k, v in m.items()} for m in mhx]
        rv = rv.detach()
        say("%s %d" % (name, step), loss.item(), mhx[0]["memory"].abs().sum(), mhx[0]["usage_vector"].sum(), rv.abs().sum())
    torch.save(net.state_dict(), name + ".pth")
    net.load_state_dict(torch.load(name + ".pth"))
    keep(name, net)
    print(net)


attempt("lstm", lambda: run("lstm"))
attempt("gru", lambda: run("gru", rnn_type="gru", num_layers=2, independent_linears=True))
attempt("rnn", lambda: run("rnn", rnn_type="rnn", num_layers=2, share_memory_between_layers=False, debug=True))
