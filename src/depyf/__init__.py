"""depyf opens the opaque box of ``torch.compile``."""

__version__ = "1.0.0.dev0"
