//! Promise: an agent reads documents over MCP, with the answers and errors of the service.

use crate::support::{Origin, Reply, pdfs, world::sift};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A client on the standard streams of `sift mcp`.
struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(origin: &Origin) -> Self {
        let mut child = Command::new(sift())
            .arg("mcp")
            .env_clear()
            .envs([
                ("SIFT_CACHE_DIR", String::new()),
                ("SIFT_EGRESS_ALLOW_PRIVATE", "127.0.0.1/32".to_owned()),
                ("SIFT_EGRESS_ALLOW_PORTS", origin.address.port().to_string()),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Self { child, stdin, stdout, next: 0 };
        let hello = client.ask(
            "initialize",
            &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(hello["serverInfo"]["name"], "sift", "{hello}");
        let instructions = hello["instructions"].as_str().unwrap();
        assert!(instructions.chars().count() < 1_500 && instructions.contains("map"), "{instructions}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the server ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return if message["error"].is_null() { message["result"].clone() } else { message["error"].clone() };
            }
        }
    }

    fn fetch(&mut self, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": "fetch", "arguments": arguments }))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_lists_the_tools_and_reads_a_document_step_by_step() {
    let origin = Origin::start().await;
    let mut client = Client::start(&origin);
    let tools = client.ask("tools/list", &json!({}));
    assert!(tools.to_string().len() < 20_000, "{} bytes", tools.to_string().len());
    let tool = &tools["tools"][0];
    assert_eq!((&tool["name"], &tool["annotations"]["readOnlyHint"]), (&json!("fetch"), &json!(true)));
    assert_eq!(tool["inputSchema"]["required"], json!(["url"]), "{tool}");

    let url = origin.put("/t.pdf", Reply::pdf(pdfs::thesis(120)));
    let map = client.fetch(&json!({ "url": url }));
    let text = |result: &Value| result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert!(text(&map).starts_with("# A Thesis\n\n120 pages"), "{map}");
    assert!(text(&map).chars().count() <= 21_000 && map["structuredContent"]["pdf"]["map"] == true);
    let range = client.fetch(&json!({ "url": url, "pages": "21" }));
    assert!(text(&range).contains("--- page 21 ---"), "{range}");
    let found = client.fetch(&json!({ "url": url, "search": "chapter 3" }));
    assert!(found["structuredContent"]["matches"][0]["page"].is_u64(), "{found}");
    // The content comes once.
    assert!(found["structuredContent"]["content"].is_null());
    assert_eq!(origin.hits("/t.pdf"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_says_what_to_try_and_the_server_goes_on() {
    let origin = Origin::start().await;
    let mut client = Client::start(&origin);
    for (arguments, error) in [
        (json!({ "url": "http://10.0.0.1/" }), "address not allowed"),
        (json!({ "url": "nonsense" }), "invalid url"),
        (json!({ "url": origin.url("/missing") }), "upstream answered 404"),
        (json!({ "url": origin.url("/x"), "pags": "1" }), "unknown field \"pags\""),
        (json!({}), "invalid url"),
    ] {
        let result = client.fetch(&arguments);
        assert_eq!(
            (&result["isError"], result["structuredContent"]["error"].as_str()),
            (&json!(true), Some(error)),
            "{arguments}"
        );
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(error), "{result}");
    }
    let unknown = client.ask("tools/call", &json!({ "name": "nothing", "arguments": {} }));
    assert_eq!(unknown["code"], -32602, "{unknown}");
    let page = client.fetch(&json!({ "url": origin.put("/page", Reply::html("<p>Some words.</p>")) }));
    assert_eq!(page["content"][0]["text"], "Some words.");
}
