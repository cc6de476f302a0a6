import triton
import triton.language as tl


def plain(x, y):
    pass


@triton.autotune(configs=[], key=[])
@triton.jit
def tuned(x, y, BLOCK: tl.constexpr):
    pass


@triton.jit
def rows(x_ptr, d, BLOCK: tl.constexpr, FLAG: tl.constexpr, WARPS: tl.constexpr = 4):
    pass


@triton.jit
def gathered(x, y, *sizes):
    pass
