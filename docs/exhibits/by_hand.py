import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx


def loss(x):
    return x.cos().cos().sum()


def joint(x):
    """The value and its gradient in one function: what AOTAutograd traces."""
    x = x.detach().requires_grad_()
    value = loss(x)
    (gradient,) = torch.autograd.grad(value, x)
    return value, gradient


with FakeTensorMode():  # tensors without memory: shapes, strides and dtypes only
    huge = torch.empty(1_000_000, 1_000_000)
    print("4 TB that nobody allocated:", tuple((huge @ huge).shape))

print(make_fx(joint, tracing_mode="fake")(torch.ones(10)).code.strip())
