"""Reads a page of HTML on standard input and prints as JSON what an independent parser makes of it."""
import html.parser
import json
import sys

VOID = {"meta", "br", "input", "hr", "img", "link", "rect", "circle", "line", "path"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.out = {"tags": [], "text": [], "bare": [], "style": "", "script": "", "csp": "", "values": {}, "tables": [], "unbalanced": [], "declared": []}

    def handle_starttag(self, tag, attrs):
        self.out["tags"].append([tag, attrs])
        named = dict(attrs)
        if named.get("http-equiv") == "Content-Security-Policy":
            self.out["csp"] = named["content"]
        if tag == "data":
            self.out["values"][named["id"]] = named["value"]
        if tag == "table":
            self.out["tables"].append({"caption": "", "rows": []})
        if tag == "tr":
            self.out["tables"][-1]["rows"].append([])
        if tag in ("td", "th"):
            self.out["tables"][-1]["rows"][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.out["tags"].append([tag, attrs])

    def handle_endtag(self, tag):
        self.out["tags"].append(["/" + tag, []])
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.out["unbalanced"].append(tag)

    def handle_data(self, data):
        top = self.open[-1] if self.open else ""
        if top in ("style", "script"):
            self.out[top] += data
            return
        self.out["text"].append(data)
        if "code" not in self.open:
            self.out["bare"].append(data)
        if "caption" in self.open:
            self.out["tables"][-1]["caption"] += data
        elif "td" in self.open or "th" in self.open:
            self.out["tables"][-1]["rows"][-1][-1] += data

    def handle_comment(self, data):
        self.out["declared"].append("comment")

    def handle_decl(self, decl):
        self.out["declared"].append(decl)

    def unknown_decl(self, data):
        self.out["declared"].append("unknown")

    def handle_pi(self, data):
        self.out["declared"].append("instruction")


page = Page()
page.feed(sys.stdin.buffer.read().decode("utf-8", errors="strict"))
page.close()
page.out["unbalanced"] += page.open
for kind in ("text", "bare"):
    page.out[kind] = "".join(page.out[kind])
json.dump(page.out, sys.stdout)
