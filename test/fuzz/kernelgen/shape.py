"""Launch shape of a kernel and what it states about it."""


class Shape:
    """block, grid: three dimensions each; bounds: arguments of
    __launch_bounds__, or None."""

    def __init__(self, rng, family):
        limit = family.block_size
        style = rng.choices(["none", "threads", "blocks"], [3, 4, 3])[0]
        if style != "none":
            limit = rng.choices([64, 128, 256, 512, 1024],
                                [2, 4, 5, 1, 0.5])[0]
        threads = limit
        if rng.random() < 0.35:
            threads = rng.choice([t for t in (32, 48, 64, 96, 100, 128, 192,
                                              256, 384) if t <= limit])
        self.threads = threads
        self.block = split(rng, threads)
        self.grid = rng.choice([[2, 1, 1], [3, 1, 1], [2, 1, 1], [1, 2, 1],
                                [2, 1, 2]])
        self.bounds = None
        if style == "threads":
            self.bounds = [limit]
        elif style == "blocks":
            most = max(1, min(8, 2048 // limit))
            self.bounds = [limit, rng.randint(1, most)]

    def attribute(self):
        if self.bounds is None:
            return ""
        return "FZ_BOUNDS(%s) " % ", ".join(str(b) for b in self.bounds)

    def blocks(self):
        return self.grid[0] * self.grid[1] * self.grid[2]


def split(rng, threads):
    """The threads as a 1D, 2D or 3D block (z at most 64)."""
    dims = rng.choices([1, 2, 3], [4, 3, 3])[0]
    block = [threads, 1, 1]
    if dims >= 2:
        block[1] = rng.choice(_divisors(block[0], 32))
        block[0] //= block[1]
    if dims == 3:
        block[2] = rng.choice(_divisors(block[0], 16))
        block[0] //= block[2]
    return block


def _divisors(number, most):
    return [d for d in range(1, most + 1) if number % d == 0]
