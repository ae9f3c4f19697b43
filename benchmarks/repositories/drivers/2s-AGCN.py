import torch
from model import agcn
from probe import array, fill, fit, quiet, say, whole


def run(name, make):
    model = make()
    fill(model)
    quiet(model)
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.0001)

    def loss_of(step):
        output = model(array(step, 2, 3, 16, 25, 2))
        if isinstance(output, tuple):
            output, l1 = output
            l1 = l1.mean()
        else:
            l1 = 0
        return loss(output, whole(step, 5, 2)) + l1
    fit(name, model, loss_of, optimizer, 3)
    model.eval()
    with torch.no_grad():
        value, predict_label = torch.max(model(array(9, 2, 3, 16, 25, 2)).data, 1)
    say(name + " eval", *value, *predict_label)


graph = dict(num_class=5, num_point=25, num_person=2, graph='graph.ntu_rgb_d.Graph', graph_args={'labeling_mode': 'spatial'})
run("agcn", lambda: agcn.Model(**graph))
