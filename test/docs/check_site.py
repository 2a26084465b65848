#!/usr/bin/env python3
"""usage: check_site.py SITE: fails if a page of the built site has a link that leads to no file or no heading, loads
something from another host, is not in the navigation, or shows Markdown or unknown tags, which GitHub's and mkdocs's
readers of Markdown take differently."""

import html.parser
import pathlib
import re
import sys
import urllib.parse

TAGS = set(
    """a article b body br
    button code dd details div dl dt em footer form h1 h2 h3 h4 h5 h6 head hr html i img input kbd li
    link main meta nav noscript ol option p pre script section select small span strong sub summary sup svg path table
    tbody td th thead title tr ul""".split()
)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loads, self.problems = set(), [], [], []
        self.inside = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in TAGS:
            self.problems.append(f"there is no tag <{tag}>")
        self.names.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag in ("link", "script", "img"):
            self.loads.append(attributes.get("href") or attributes.get("src") or "")
        if tag in ("p", "pre", "code", "script"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, text):
        # A table or a list that mkdocs has not recognized.
        if self.inside and self.inside[-1] == "p" and (found := re.search(r"^\s*(\||[-*] ).*", text, re.M)):
            self.problems.append(f"a paragraph has a line of a list or table: '{found[0].strip()[:60]}'")


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in site.rglob("*.html")}
    failures, count = [], 0

    def check(path, link):
        target, _, anchor = link.partition("#")
        file = (path.parent / urllib.parse.unquote(target)).resolve() if target not in ("", ".") else path
        if not file.is_file():
            failures.append(f"{path.relative_to(site)}: error: there is no {link}")
        elif anchor and anchor not in pages[file].names:
            failures.append(f"{path.relative_to(site)}: error: {file.relative_to(site)} has no '#{anchor}'")
        return file

    reached = {site / name for name in ("index.html", "404.html", "search.html")}
    for path, page in pages.items():
        if path.name == "404.html":  # It has absolute links.
            continue
        for link in page.links:
            if not re.match(r"[a-z]+:|//", link):
                count += 1
                target = check(path, link)
                if path == site / "index.html":
                    reached.add(target)
        for link in page.loads:
            if re.match(r"[a-z]+:|//", link):
                failures.append(f"{path.relative_to(site)}: error: it loads {link}")
            elif link:
                check(path, re.sub(r"\?.*", "", link))
        failures += [f"{path.relative_to(site)}: error: {problem}" for problem in page.problems]
    failures += [
        f"{path.relative_to(site)}: error: the navigation does not lead here" for path in pages if path not in reached
    ]
    print("\n".join(failures) or f"{len(pages)} pages, {count} links")
    return 1 if failures or len(pages) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
