import collections
from types import SimpleNamespace
import torch
import torch.nn.functional as F
import models
import utils
from probe import attempt, fill, keep, say, whole

args = SimpleNamespace(network_type="rnn", num_blocks=4, shared_rnn_activations=["tanh", "ReLU", "identity", "sigmoid"], controller_hid=6, softmax_temperature=5.0, tanh_c=2.5, mode="train", cuda=False, shared_hid=5, shared_embed=5, shared_dropoute=0.0, shared_dropouti=0.0, shared_dropout=0.0, shared_wdrop=0.0, tie_weights=True)


def shared():
    rnn = models.RNN(args, SimpleNamespace(num_tokens=11))
    fill(rnn)
    dag = collections.defaultdict(list)
    dag[-1] = dag[-2] = [utils.Node(0, "tanh")]
    dag[0] = [utils.Node(1, "ReLU"), utils.Node(2, "sigmoid")]
    dag[2] = [utils.Node(3, "identity")]
    dag[1] = [utils.Node(4, "avg")]
    dag[3] = [utils.Node(4, "avg")]
    dag[4] = [utils.Node(5, "h[t]")]
    optimizer = torch.optim.SGD(rnn.parameters(), lr=0.5, weight_decay=1e-7)
    hidden = rnn.init_hidden(3)
    for step in range(3):
        rnn.train()
        inputs, targets = whole(step, 11, 4, 3), whole(step + 9, 11, 12)
        output, hidden, extra = rnn(inputs, dag, hidden=hidden)
        hidden.detach_()
        loss = F.cross_entropy(output.view(-1, 11), targets)
        loss = loss + 2.0 * (extra["dropped"] ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(rnn.parameters(), 0.25)
        optimizer.step()
        say("shared %d" % step, loss.item(), hidden.abs().sum().item())
    say("numbers", rnn.num_parameters, len(list(rnn.parameters())))
    rnn.eval()
    output, _, _ = rnn(whole(7, 11, 4, 2), dag, is_train=False)
    say("eval", output.abs().sum().item())
    keep("shared", rnn)


def controller():
    net = models.Controller(args)
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    baseline = None
    for step in range(3):
        dags, log_probs, entropies = net.sample(batch_size=1, with_details=True)
        rewards = 0.5 + 0.1 * step + 1e-4 * entropies.data.cpu().numpy()
        baseline = rewards if baseline is None else 0.95 * baseline + 0.05 * rewards
        adv = rewards - baseline
        loss = -log_probs * utils.get_variable(torch.from_numpy(adv + 0.1).float(), False, requires_grad=False)
        loss = loss.sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        say("controller %d" % step, utils.to_item(loss.data), entropies.sum().item(), len(dags[0]))
    keep("controller", net)


attempt("shared", shared)
attempt("controller", controller)
