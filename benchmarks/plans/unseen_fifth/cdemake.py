import torch
import torchcde


class Spline(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)

    def forward(self, x):
        X = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))
        t = torch.tensor(1.3)
        return self.fc(X.evaluate(t)), X.derivative(t), X.grid_points


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)

    def forward(self, x):
        X = torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(x))
        Y = torchcde.CubicSpline(torchcde.natural_cubic_coeffs(x))
        t = torch.tensor(2.6)
        return self.fc(X.evaluate(t)), X.derivative(t), Y.evaluate(t)
