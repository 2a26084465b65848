"""usage: check_browser.py PAGE: fails if a page in Chromium scrolls horizontally at a width of 390 or 1400 pixels, or
if the browser reports an error."""

import html
import pathlib
import re
import subprocess
import sys
import tempfile

page = html.escape(pathlib.Path(sys.argv[1]).read_text())
frames = "".join(
    f'<iframe width="{width}" height="800" style="border: 0" srcdoc="{page}"></iframe>' for width in (390, 1400)
)
script = """onload = () => { for (const frame of document.querySelectorAll("iframe")) {
  const root = frame.contentDocument.documentElement;
  frame.after("width " + root.clientWidth + " of " + root.scrollWidth + ";"); } }"""
with tempfile.TemporaryDirectory() as folder:
    wrapper = pathlib.Path(folder) / "frames.html"
    wrapper.write_text(f"<!DOCTYPE html><script>{script}</script>{frames}")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
    command += ["--window-size=1600,900", "--enable-logging=stderr", "--dump-dom", wrapper.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
widths = re.findall(r"width (\d+) of (\d+);", result.stdout)
print(*(f"{scrolled} of {visible} pixels" for visible, scrolled in widths), sep="\n")
errors = re.findall(r".*CONSOLE.*", result.stderr)
print(*errors, sep="\n")
sys.exit(len(widths) != 2 or any(int(visible) < int(scrolled) for visible, scrolled in widths) or bool(errors))
