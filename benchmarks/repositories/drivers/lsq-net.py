import torch as t
import process
import quan
import model as model_zoo
from util.lr_scheduler import lr_scheduler
from model.resnet_cifar import resnet20
from torch.utils.data import DataLoader, TensorDataset
from probe import array, fill, keep, say, whole


class Box(dict):
    __getattr__ = dict.__getitem__


def main():
    net = resnet20()
    fill(net)
    act = dict(mode='lsq', bit=3, per_channel=False, symmetric=False, all_positive=True)
    weight = dict(mode='lsq', bit=3, per_channel=True, symmetric=False, all_positive=False)
    quan_args = Box(act=act, weight=weight, excepts=Box(conv1=Box(act=dict(all_positive=False), weight=dict(bit=None)), fc=Box(act=dict(bit=None), weight=dict(bit=None))))
    net = quan.replace_module_by_names(net, quan.find_modules_to_quantize(net, quan_args))
    loader = DataLoader(TensorDataset(array(1, 12, 3, 16, 16), whole(2, 10, 12)), batch_size=4)
    args = Box(device=Box(type='cpu'), log=Box(print_freq=1))
    criterion = t.nn.CrossEntropyLoss().to(args.device.type)
    optimizer = t.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    schedule = lr_scheduler(optimizer, batch_size=loader.batch_size, num_samples=len(loader.sampler), mode='cos', update_per_batch=True, lr_min=0, cycle=2)
    for epoch in range(2):
        say("train %d" % epoch, *process.train(loader, net, criterion, optimizer, schedule, epoch, [], args))
        say("val %d" % epoch, *process.validate(loader, net, criterion, epoch, [], args))
    keep("lsq", net)


main()
