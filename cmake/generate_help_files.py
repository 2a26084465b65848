"""usage: generate_help_files.py AIRCC FOLDER: writes man pages and completions for bash, zsh and fish.

Both are made of what `aircc --help-all` and `aircc COMMAND --help` print. Below FOLDER, files have the names that an
installation has below PREFIX/share.
"""

import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

# Commands, and whether their help has aircc's form. The others are LLVM's tools.
COMMANDS = {
    "run": True, "sim": True, "report": True, "tune": True, "targets": True, "layout": True, "cache": True,
    "doctor": True, "lsp": True, "opt": False, "opt-llvm": False,
}  # fmt: skip
LLVM_TOOLS = {
    "opt": "Run passes of MLIR and aircc, like mlir-opt",
    "opt-llvm": "Run passes of LLVM and aircc on LLVM IR, like LLVM's opt",
}
VALUES = {
    "--device": ["sim", "hip", "level-zero"],
    "--diagnostics-format": ["text", "json"],
    "--cache": ["on", "off"],
    "--schedule": ["adversarial", "in-step"],
    "--surfaces": ["strict", "lenient"],
    "-O": ["0", "1", "2", "3"],
}


@dataclass
class Option:
    group: str
    names: list
    value: str  # the name of the value, "" for a flag
    optional: bool  # --name[=VALUE]
    lines: list = field(default_factory=list)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.lines)).strip()


@dataclass
class Help:
    description: str
    usage: str
    options: list
    footer: str


def parse_help(text):
    """The parts of a help that HelpFormatter.cpp wrote."""
    description, _, text = text.partition("\nUsage: ")
    description = re.sub(r"\s+", " ", description).strip()
    usage, *rest = text.splitlines()
    options, group, footer = [], "", []
    for line in rest:
        if (title := re.fullmatch(r"(\w+):", line)) and not footer:
            group = title[1]
        elif (entry := re.match(r"  (\S.*?)(?:  +(\S.*)|$)", line)) and not footer:
            spelling, optional = re.subn(r"\[=(\S+)\]$", r" \1", entry[1].replace(" REQUIRED", ""))
            names, _, value = spelling.partition(" ")
            options.append(Option(group, names.split(","), value.removesuffix(" ..."), bool(optional)))
            if entry[2]:
                options[-1].lines.append(entry[2])
        elif line.startswith(" " * 28) and options and not footer:
            options[-1].lines.append(line[28:])
        elif line or footer:
            footer.append(line)
    for option in options:  # "-MD: write …" names another spelling.
        if option.lines and (clang := re.match(r"(-[A-Z#]\S*): (.*)", option.lines[0])):
            option.names.insert(0, clang[1])
            option.lines[0] = clang[2][0].upper() + clang[2][1:]
    return Help(description, usage, options, "\n".join(footer))


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def write_man_page(name, help, version, others):
    out = [f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "" "aircc {version}" "aircc"', ".SH NAME"]
    out += [roff(f"{name} - {help.description.rstrip('.')}"), ".SH SYNOPSIS", ".nf", roff(help.usage), ".fi"]
    group = None
    for option in help.options:
        if option.group != group:
            group = option.group
            out.append(f".SH {group.upper()}" if group in ("Positionals", "Options") else f".SS {group}")
        value = f"[={option.value}]" if option.optional else f" {option.value}" if option.value else ""
        out += [".TP", f".B {roff(', '.join(option.names) + value)}"]
        # Tables keep their lines.
        if any(line.startswith(" ") for line in option.lines):
            out += [roff(option.lines[0]), ".nf", *(roff(line) for line in option.lines[1:]), ".fi"]
        else:
            out.append(roff(option.text))
    if help.footer:
        out += [".SH NOTES", ".nf", roff(help.footer), ".fi"]
    out += [".SH SEE ALSO", roff(", ".join(f"{other}(1)" for other in others))]
    return "\n".join(out) + "\n"


def find_values(option, kinds):
    """The words that an option takes; None for a file; an empty list for anything else."""
    for name in option.names:
        if name == "--emit":
            return kinds
        if name in VALUES:
            return VALUES[name]
    return None if re.search(r"FILE|FOLDER|DIR|IMAGE", option.value) else []


def named(options):
    return [option for option in options if option.names[0].startswith("-")]


def write_bash(pages, kinds):
    out = ["# Completion of aircc for bash.", "_aircc() {", "  local cur prev command= words values"]
    out += ["  cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}", "  COMPREPLY=()"]
    out += [f"  case ${{COMP_WORDS[1]}} in {'|'.join(COMMANDS)}) command=${{COMP_WORDS[1]}} ;; esac"]
    out += ['  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi']
    out += ['  case "$command $prev" in']
    for command, help in pages.items():
        for option in named(help.options):
            if not option.value:
                continue
            patterns = "|".join(f'"{command} {name}"' for name in option.names)
            values = find_values(option, kinds)
            if "--target" in option.names:
                out.append(f"  {patterns}) values=$(aircc targets 2>/dev/null | cut -d' ' -f1) ;;")
            elif values:
                out.append(f"  {patterns}) values='{' '.join(values)}' ;;")
            elif not option.optional:
                out.append(f"  {patterns}) compopt -o default 2>/dev/null; return ;;")
    out += ["  esac", '  if [ -n "$values" ]; then']
    out += ['    COMPREPLY=($(compgen -W "$values" -- "$cur"))', "    return", "  fi", "  case $command in"]
    for command, help in pages.items():
        words = " ".join(name for option in named(help.options) for name in option.names)
        out.append(f"  {command or repr('')}) words='{words}' ;;")
    out += ["  opt) [[ $cur == -* ]] && words=$(aircc opt --help 2>/dev/null |"]
    out += ["    sed -n '/^OVERVIEW/q; s/^  \\(--[a-z0-9-]*[a-z0-9]\\).*/\\1/p') ;;", "  esac"]
    out += [f'  [ "$COMP_CWORD" = 1 ] && words+=" {" ".join(COMMANDS)}"']
    out += ['  COMPREPLY=($(compgen -W "$words" -- "$cur"))']
    out += ["  [ ${#COMPREPLY[@]} -ne 0 ] || compopt -o default 2>/dev/null"]
    return "\n".join([*out, "}", "complete -F _aircc aircc"]) + "\n"


def write_zsh(pages, kinds):
    def specification(option):
        action = ""
        if option.value:
            values = find_values(option, kinds)
            what = "_files" if values is None else f"({' '.join(values)})" if values else " "
            if "--target" in option.names:
                what = "{_values target ${(f)\"$(aircc targets 2>/dev/null | cut -d' ' -f1)\"}}"
            action = f":{option.value.split(' ')[0].replace(':', '')}:{what}"
            action = ":" + action if option.optional else action
        text = re.sub(r"([\[\]:\\])", r"\\\1", option.text).replace("'", "'\\''")
        for name in option.names:
            suffix = "" if not option.value else "=-" if option.optional else "=" if name.startswith("--") else "+"
            action_ = action.replace("'", "'\\''")
            yield f"'*{name}{suffix}[{text}]{action_}'"

    out = ["#compdef aircc", "# Completion of aircc for zsh.", "local -a commands", "commands=("]
    for command in COMMANDS:
        text = LLVM_TOOLS.get(command) or pages[command].description
        out.append(f"  '{command}:{text.rstrip('.').replace(':', ' -')}'")
    out += [")", "if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then", "  _describe command commands", "  _files"]
    out += [
        "  return",
        "fi",
        "local command=",
        "case $words[2] in",
        f"{'|'.join(COMMANDS)}) command=$words[2] ;;",
        "esac",
    ]
    out += ["if [[ -n $command ]]; then", "  shift words", "  (( CURRENT-- ))", "fi", "case $command in"]
    for command, help in pages.items():
        out += [f"{command or repr('')})", "  _arguments \\"]
        out += [f"    {text} \\" for option in named(help.options) for text in specification(option)]
        out += ["    '*:file:_files'", "  ;;"]
    return "\n".join([*out, "*) _files ;;", "esac"]) + "\n"


def write_fish(pages, kinds):
    def quote(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    out = ["# Completion of aircc for fish.", "set -l commands " + " ".join(COMMANDS)]
    for command in COMMANDS:
        text = LLVM_TOOLS.get(command) or pages[command].description
        out.append(f"complete -c aircc -n __fish_use_subcommand -a {command} -d {quote(text.rstrip('.'))}")
    for command, help in pages.items():
        seen = f"__fish_seen_subcommand_from {command or '$commands'}"
        condition = quote(seen) if command else f'"not {seen}"'
        for option in named(help.options):
            words = []
            for name in option.names:
                kind = "-l" if name.startswith("--") else "-s" if len(name) == 2 else "-o"
                words += [kind, quote(name.lstrip("-"))]
            if option.value and not option.optional:
                values = find_values(option, kinds)
                words.append("-r" if values is None else "-x")
                if "--target" in option.names:
                    words += ["-a", quote("(aircc targets 2>/dev/null | cut -d' ' -f1)")]
                elif values:
                    words += ["-a", quote(" ".join(values))]
            out.append(f"complete -c aircc -n {condition} {' '.join(words)} -d {quote(option.text)}")
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    aircc, folder = sys.argv[1], pathlib.Path(sys.argv[2])

    def run(*arguments):
        return subprocess.run([aircc, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    version = run("--version").split()[1]
    pages = {"": parse_help(run("--help-all"))}
    for command, parsed in COMMANDS.items():
        if parsed:
            pages[command] = parse_help(run(command, "--help-all" if command == "run" else "--help"))
    emit = next(option for option in pages[""].options if "--emit" in option.names)
    kinds = [match[1] for line in emit.lines if (match := re.match(r"  (\S+)  ", line))]
    files = {
        "bash-completion/completions/aircc": write_bash(pages, kinds),
        "zsh/site-functions/_aircc": write_zsh(pages, kinds),
        "fish/vendor_completions.d/aircc.fish": write_fish(pages, kinds),
    }
    names = {command: f"aircc-{command}" if command else "aircc" for command in pages}
    for command, help in pages.items():
        others = [name for name in names.values() if name != names[command]]
        files[f"man/man1/{names[command]}.1"] = write_man_page(names[command], help, version, others)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
