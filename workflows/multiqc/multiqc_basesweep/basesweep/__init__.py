from .basesweep import MultiqcModule

__all__ = ["MultiqcModule"]
