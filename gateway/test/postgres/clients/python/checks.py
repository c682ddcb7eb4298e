"""What the checks of all Python clients share: each prints a line for what it tried."""
import sys
import traceback


class Checks:
    def __init__(self):
        self.failed = 0

    def check(self, name, work, expected=None, error=None):
        """`expected`: what the work gives; `error`: the SQLSTATE that it fails with."""
        try:
            got = work()
        except Exception as caught:
            state = getattr(caught, "sqlstate", None) or getattr(caught, "pgcode", None)
            state = state or getattr(getattr(caught, "orig", None), "pgcode", None)
            if error is not None and state == error:
                return self.say("ok", name)
            where = traceback.extract_tb(caught.__traceback__)[-1]
            text = " ".join(str(caught).split())[:300]
            return self.say("FAILED", name, f"{type(caught).__name__} {state} {text} ({where.name})")
        if error is not None:
            return self.say("FAILED", name, f"no error {error}: {got!r}"[:300])
        if expected is not None and got != expected:
            return self.say("FAILED", name, f"expected {expected!r}, got {got!r}"[:600])
        self.say("ok", name)

    def say(self, how, name, why=None):
        self.failed += how != "ok"
        print(f"{how} {name.replace(':', ' ')}" + ("" if why is None else f": {why}"), flush=True)

    def end(self):
        print("done", flush=True)
        sys.exit(0)
