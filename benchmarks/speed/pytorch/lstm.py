"""An LSTM classifier of token sequences."""
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, vocabulary=100, width=32, hidden=64, classes=5):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, num_layers=1, batch_first=True)
        self.dropout = nn.Dropout(0.0)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, tokens):
        x = self.embedding(tokens)
        out, (h, c) = self.lstm(x)
        return self.fc(self.dropout(h[-1]))
