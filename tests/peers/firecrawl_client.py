"""The real Firecrawl client against the real binary: firecrawl_client.py PATH-TO-SIFT. Exit status 1 when a check fails."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading

from firecrawl import Firecrawl

PAGE = (
    "<html lang='en'><head><title>A Page</title></head><body><nav><a href='/x'>MENU</a></nav><article><h1>A Page</h1>"
    + "<p>Some words, and a <a href='rel?a=1'>link</a>, which are the main text of this page. </p>" * 8
    + "</article></body></html>"
)


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path == "/page"
        body = (PAGE if found else "<p>Nothing here, and nothing there.</p>").encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(sift, site_port, folder):
    """Starts the server; gives its process and its address."""
    config = os.path.join(folder, "config.toml")
    with open(config, "w") as file:
        file.write(
            '[server]\nlisten = "127.0.0.1:0"\n[admin]\nlisten = "127.0.0.1:0"\n[cache]\ndir = ""\n'
            f'[egress]\nallow_private = ["127.0.0.1/32"]\nallow_ports = [{site_port}]\n'
        )
    process = subprocess.Popen([sift, "--config", config, "serve"], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        fields = json.loads(line)
        if "listen" in fields:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, "http://" + fields["listen"]
    sys.exit("sift did not start")


def check(name, holds):
    print("ok  " if holds else "FAIL", name)
    return holds


def main():
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{site.server_port}"
    with tempfile.TemporaryDirectory() as folder:
        process, address = serve(sys.argv[1], site.server_port, folder)
        try:
            client = Firecrawl(api_key="none", api_url=address)
            page = client.scrape(base + "/page", formats=["markdown", "links"], wait_for=3000)
            missing = client.scrape(base + "/missing", formats=["markdown"])
            try:
                client.scrape("http://10.0.0.1/", formats=["markdown"])
                refusal = ""
            except Exception as error:
                refusal = str(error)
            good = [
                check("a page is its main text", "main text" in page.markdown and "MENU" not in page.markdown),
                check("its title is there", page.metadata.title == "A Page"),
                check("links are absolute", f"{base}/rel?a=1" in (page.links or [])),
                check("a 404 is an answer", missing.metadata.status_code == 404),
                check("a private address is refused", "public web addresses only" in refusal),
            ]
        finally:
            process.terminate()
            process.wait()
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
