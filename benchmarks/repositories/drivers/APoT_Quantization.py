import torch
from models.quant_layer import QuantConv2d, first_conv, last_fc
import models.resnet as resnet
from probe import array, fill, fit, say, whole


def main():
    model = resnet.res20_4bit() if hasattr(resnet, "res20_4bit") else resnet.resnet20_cifar()
    fill(model)
    for m in model.modules():
        if isinstance(m, QuantConv2d):
            m.weight_quant.wgt_alpha.data.fill_(2.5)
    model_params = []
    for name, params in model.named_parameters():
        if 'act_alpha' in name or 'wgt_alpha' in name:
            model_params += [{'params': [params], 'lr': 1e-1, 'weight_decay': 1e-4}]
        else:
            model_params += [{'params': [params]}]
    optimizer = torch.optim.SGD(model_params, lr=0.01, momentum=0.9, weight_decay=1e-4)
    criterion = torch.nn.CrossEntropyLoss()

    def loss_of(step):
        return criterion(model(array(step, 3, 3, 32, 32)), whole(step, 10, 3))
    fit("apot", model, loss_of, optimizer, 3)
    for m in model.modules():
        if isinstance(m, QuantConv2d):
            m.show_params()
    model.eval()
    say("eval", model(array(7, 2, 3, 32, 32)).sum())


main()
