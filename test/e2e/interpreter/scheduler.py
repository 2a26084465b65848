"""Cooperative threads: Python generators that yield what they wait for.

A thread that yields None lets others run. One that yields an object with a list `waiters` runs again after `wake` is
called for that object, and has to check its condition again. `choose` picks which thread runs next, so that a program
can be run under many schedules.
"""


class Deadlock(Exception):
    pass


class Token:
    """Done when the op that it belongs to is."""

    __slots__ = ("done", "waiters")

    def __init__(self, done=False):
        self.done, self.waiters = done, []


class Scheduler:
    def __init__(self, rng=None):
        self.ready, self.blocked, self.rng = [], 0, rng

    def spawn(self, generator, what):
        """Starts a thread and returns the token of its end."""
        token = Token()
        self.ready.append((generator, token, what))
        return token

    def wake(self, waited):
        if waited.waiters:
            self.ready += waited.waiters
            self.blocked -= len(waited.waiters)
            waited.waiters.clear()

    def finish(self, token):
        token.done = True
        self.wake(token)

    def wait(self, tokens):
        for token in tokens:
            while not token.done:
                yield token

    def run(self, generator):
        main = self.spawn(generator, "the program")
        while self.ready:
            if self.rng:
                i = self.rng.randrange(len(self.ready))
                self.ready[i], self.ready[-1] = self.ready[-1], self.ready[i]
                thread = self.ready.pop()
            else:
                thread = self.ready.pop(0)
            waited = self.step(thread)
            if waited is None:
                continue
            waited.waiters.append(thread)
            self.blocked += 1
        if not main.done or self.blocked:
            raise Deadlock(f"{self.blocked} threads wait forever")

    def step(self, thread):
        """Runs a thread until it waits or ends; returns what it waits for."""
        generator, token, _ = thread
        try:
            waited = next(generator)
        except StopIteration:
            self.finish(token)
            return None
        if waited is None:
            self.ready.append(thread)
        return waited
