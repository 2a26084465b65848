"""Prints what a lit run came to: the tests that were skipped and those that
failed, by name, and as the last line "N passed, M failed, K skipped"."""

import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            tests = json.load(file)["tests"]
    except (OSError, ValueError, KeyError) as error:
        print(f"no test results: {error}", file=sys.stderr)
        print("0 passed, 1 failed, 0 skipped")
        return 1
    passed = [t for t in tests if t["code"] in PASSED]
    skipped = [t for t in tests if t["code"] in SKIPPED]
    failed = [t for t in tests if t["code"] not in PASSED | SKIPPED]
    for test in skipped:
        print(f"skipped: {test['name']}")
    for test in failed:
        print(f"failed: {test['name']}")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
