"""The official Python client of the Model Context Protocol against `sift mcp`: mcp_client.py PATH-TO-SIFT. Exit status 1 when a check fails."""

import asyncio
import http.server
import sys
import threading

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PAGE = "<title>A Page</title><nav><a href='/x'>MENU</a></nav><article><h1>A Page</h1>" + "<p>Some words, which are the main text of this page. </p>" * 12 + "</article>"


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PAGE.encode()
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def check(name, holds):
    print("ok  " if holds else "FAIL", name)
    return holds


async def checks(sift, port):
    server = StdioServerParameters(
        command=sift, args=["mcp"],
        env={"SIFT_CACHE_DIR": "", "SIFT_EGRESS_ALLOW_PRIVATE": "127.0.0.1/32", "SIFT_EGRESS_ALLOW_PORTS": str(port)},
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        tools = (await session.list_tools()).tools
        page = await session.call_tool("fetch", {"url": f"http://127.0.0.1:{port}/page"})
        missing = await session.call_tool("fetch", {"url": f"http://127.0.0.1:{port}/missing"})
        refused = await session.call_tool("fetch", {"url": "http://10.0.0.1/"})
        return all([
            check("the client says hello", hello.server_info.name == "sift"),
            check("every tool has a description and a schema", all(tool.description and tool.input_schema for tool in tools)),
            check("fetch is there", [tool.name for tool in tools] == ["fetch"]),
            check("a page is read", not page.is_error and "main text" in page.content[0].text and "MENU" not in page.content[0].text),
            check("what is said of it is structured", page.structured_content["title"] == "A Page"),
            check("an error says what to try", missing.is_error and "hint" in missing.structured_content),
            check("a private address is refused", refused.is_error and "address not allowed" in refused.content[0].text),
        ])


def main():
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    sys.exit(0 if asyncio.run(checks(sys.argv[1], site.server_port)) else 1)


if __name__ == "__main__":
    main()
