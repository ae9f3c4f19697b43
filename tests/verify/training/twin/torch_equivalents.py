"""Stands for the module that a converted project carries along: just what the twin uses."""


class TensorDataset:
    def __init__(self, *tensors):
        self.tensors = tensors


class DataLoader:
    def __init__(self, dataset, batch_size):
        self.dataset, self.batch_size = dataset, batch_size

    def __iter__(self):
        for start in range(0, len(self.dataset.tensors[0]), self.batch_size):
            yield [tensor[start:start + self.batch_size] for tensor in self.dataset.tensors]
