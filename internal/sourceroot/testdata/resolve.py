"""Where each URI of standard input, one JSON string a line, leads under the root that is the one argument: its real path, as one
JSON string a line; null where it has a query, a fragment, another host or another scheme than file."""
import json
import os.path
import posixpath
import sys
from urllib.parse import unquote, urlsplit

root = sys.argv[1]
for line in sys.stdin:
    uri = json.loads(line)
    path = None
    try:
        parts = urlsplit(uri)
        host = parts.netloc.lower()
        if parts.scheme in ("", "file") and host in ("", "localhost") and not parts.query and not parts.fragment:
            path = posixpath.normpath(root + "/" + unquote(parts.path, errors="surrogateescape"))
            path = os.path.realpath(path)
    except ValueError:
        pass
    print(json.dumps(path))
