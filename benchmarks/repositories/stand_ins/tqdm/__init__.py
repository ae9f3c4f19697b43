"""Progress bars that show nothing and hand on what they are given."""


class tqdm:
    def __init__(self, iterable=(), *arguments, **options):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def trange(*bounds, **options):
    return tqdm(range(*bounds))
