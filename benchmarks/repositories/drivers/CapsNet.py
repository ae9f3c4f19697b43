import argparse
import csv
import os
import torch
from torch.utils.data import DataLoader, TensorDataset
from capsulenet import CapsuleNet, caps_loss, test, train
from probe import array, attempt, fill, keep, say, whole


def main():
    model = CapsuleNet(input_size=[1, 28, 28], classes=10, routings=3)
    fill(model)
    os.makedirs("result", exist_ok=True)
    args = argparse.Namespace(save_dir="result", lr=0.001, lr_decay=0.9, epochs=2, lam_recon=0.392)
    train_loader = DataLoader(TensorDataset(torch.sigmoid(array(0, 4, 1, 28, 28)), whole(0, 10, 4)), batch_size=2, shuffle=False)
    test_loader = DataLoader(TensorDataset(torch.sigmoid(array(1, 4, 1, 28, 28)), whole(1, 10, 4)), batch_size=2, shuffle=False)
    train(model, train_loader, test_loader, args)
    for row in csv.DictReader(open("result/log.csv")):
        say("epoch " + row["epoch"], row["loss"], row["val_loss"], row["val_acc"].strip("tensor()"))
    model.load_state_dict(torch.load("result/trained_model.pkl"))
    loss, accuracy = test(model, test_loader, args)
    say("test", loss, accuracy)
    keep("caps", model)


attempt("caps", main)
