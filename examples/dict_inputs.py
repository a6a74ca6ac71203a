import torch


@torch.compile
def function(inputs):
    x = inputs["x"]
    y = inputs["y"]
    x = x.cos().cos()
    if x.mean() > 0.5:
        x = x / 1.1
    return x * y


def main():
    for size in (10, 8):
        for _ in range(100):
            inputs = {name: torch.randn(size, requires_grad=True) for name in ("x", "y")}
            function(inputs).sum().backward()


if __name__ == "__main__":
    import depyf

    with depyf.prepare_debug("depyf_debug_dir"):
        main()
