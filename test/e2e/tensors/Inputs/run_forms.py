"""Compiles the programs of a module as functions of one library for each target, and compares them with numpy.

run_forms.py MODULE TARGET...

With --each, every program is a library of its own, so that one that does not compile does not hide the others.
"""

import importlib
import re
import sys

import aircc
from check_program import find_error
from forms import FORMS


def compile_each(programs, target):
    """The function of each program that compiles, from libraries of their own, and the errors of the others."""
    functions, errors = {}, {}
    for program in programs:
        try:
            functions[program.name] = aircc.compile(program.text, target=target).forward
        except aircc.CompileError as error:
            errors[program.name] = f"does not compile: {error}"
    return functions, errors


def compile_all(programs, target):
    """The function of each program. Those without modules of their own come from one library."""
    modules = [program for program in programs if "module" in program.text]
    names = {program.name: re.sub(r"\W", "_", program.name) for program in programs if program not in modules}
    text = "\n".join(p.text.replace("@forward", "@" + names[p.name]) for p in programs if p not in modules)
    library = aircc.compile(text, target=target)
    functions, errors = compile_each(modules, target)
    functions.update((name, getattr(library, function)) for name, function in names.items())
    return functions, errors


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--each"]
    importlib.import_module(arguments[0])
    failures = 0
    for target in arguments[1:]:
        functions, errors = (compile_each if "--each" in sys.argv else compile_all)(FORMS, target)
        for program in FORMS:
            error = errors.get(program.name) or find_error(program, functions[program.name])
            if error:
                print(f"{target}: {program.name}: {error}", file=sys.stderr, flush=True)
            failures += bool(error)
    print(f"{len(FORMS)} programs, {failures} failures")


if __name__ == "__main__":
    main()
