"""What panels have computed and may need again."""


class Remembered(dict):
    """Values by key, of which only the ones used last are kept."""

    def __init__(self, most):
        super().__init__()
        self._most = most

    def get_or_make(self, key, make):
        """The value of a key: the one that is there, or `make()`."""
        self[key] = self.pop(key) if key in self else make()  # now the youngest
        for old in list(self)[: -self._most]:
            del self[old]
        return self[key]
