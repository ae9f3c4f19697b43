import torch
import loss
import lr_schedule
import network
from probe import array, attempt, fill, keep, quiet, say, whole


def run(method, random):
    base = network.LeNet()
    fill(base)
    quiet(base)
    if random:
        random_layer = network.RandomLayer([base.output_num(), 10], 32)
        random_layer.random_matrix = [array(1, base.output_num(), 32), array(2, 10, 32)]
        ad_net = network.AdversarialNetwork(32, 16)
    else:
        random_layer = None
        ad_net = network.AdversarialNetwork(base.output_num() * 10 if method != "DANN" else base.output_num(), 16)
    fill(ad_net, 1)
    quiet(ad_net)
    parameters = [{"params": base.parameters(), "lr_mult": 1, "decay_mult": 1}] + ad_net.get_parameters()
    optimizer = torch.optim.SGD(parameters, lr=0.01, momentum=0.9, weight_decay=0.0005, nesterov=True)
    for i in range(3):
        base.train(True)
        ad_net.train(True)
        optimizer = lr_schedule.schedule_dict["inv"](optimizer, i, gamma=0.001, power=0.75, lr=0.01)
        optimizer.zero_grad()
        features_source, outputs_source = base(array(i, 4, 1, 28, 28))
        features_target, outputs_target = base(array(i + 5, 4, 1, 28, 28))
        features, outputs = torch.cat((features_source, features_target), dim=0), torch.cat((outputs_source, outputs_target), dim=0)
        softmax_out = torch.nn.Softmax(dim=1)(outputs)
        if method == "CDAN+E":
            transfer = loss.CDAN([features, softmax_out], ad_net, loss.Entropy(softmax_out), network.calc_coeff(i + 500), random_layer)
        elif method == "CDAN":
            transfer = loss.CDAN([features, softmax_out], ad_net, None, None, random_layer)
        else:
            transfer = loss.DANN(features, ad_net)
        classifier = torch.nn.CrossEntropyLoss()(outputs_source, whole(i, 10, 4))
        total = transfer + classifier
        total.backward()
        optimizer.step()
        say("%s %s %d" % (method, random, i), total.item(), transfer.item(), ad_net.iter_num)
    keep(method + str(int(random)), base)
    keep(method + str(int(random)) + "ad", ad_net)


for method, random in [("DANN", False), ("CDAN", False), ("CDAN+E", False), ("CDAN+E", True)]:
    attempt(method + str(random), lambda: run(method, random))
