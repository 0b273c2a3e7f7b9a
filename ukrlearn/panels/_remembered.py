"""A cache for results of panels."""


class Remembered(dict):
    """Values by key, of which only the most recently used are kept."""

    def __init__(self, most):
        super().__init__()
        self._most = most

    def get_or_make(self, key, make):
        """The stored value of a key, or a new one from `make()`."""
        self[key] = self.pop(key) if key in self else make()  # moves the key to the end
        if len(self) > self._most:
            del self[next(iter(self))]
        return self[key]
