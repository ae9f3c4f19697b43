"""An LSTM classifier of token sequences, written for MindSpore."""

import mindspore.nn as nn


class Classifier(nn.Cell):
    """The last hidden state decides."""

    def __init__(self, vocabulary=100, width=32, hidden=64, classes=5):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.dropout = nn.Dropout(p=0.0)
        self.fc = nn.Dense(hidden, classes)

    def construct(self, tokens):
        _, (h, _) = self.lstm(self.embedding(tokens))
        return self.fc(self.dropout(h[-1]))
