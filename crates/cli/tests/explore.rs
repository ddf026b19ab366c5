//! The server of the explorer: what it answers, and whom and what it refuses. (What the page does with it is tested in a
//! browser: `tests/browser`.)

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server for a model.
struct Server {
    process: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_mandala"))
            .args(["explore", "--no-open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        let output = process.stdout.as_mut().expect("its output");
        BufReader::new(output).read_line(&mut address).expect("an address");
        let rest = address.trim().strip_prefix("http://127.0.0.1:").expect("the loopback address");
        let (port, token) = rest.split_once('/').expect("a token");
        Server { process, port: port.parse().expect("a port"), token: token.trim_end_matches('/').to_owned() }
    }

    /// Sends some bytes, and gives the status and the body of what comes back.
    fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        // A server that refuses early may hang up before it has read everything.
        let _ = stream.write_all(bytes);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned());
        (status, body)
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.send(format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn ask(&self, verb: &str, asked: &Value) -> Value {
        let path = format!("/{}/api/{verb}", self.token);
        let (status, body) = self.request("POST", &path, &self.host(), &asked.to_string());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_model_is_played() {
    let server = Server::start(&[&model("philosophers.gal"), "-D", "N=3"]);
    let about = server.ask("model", &json!({}));
    assert_eq!((about["name"].as_str(), about["shape"].as_str()), (Some("Table"), Some("composite")));
    let mut state: Vec<i64> = serde_json::from_value(about["initial"][0].clone()).expect("a state");
    for transition in ["takeLeft(0)", "takeLeft(1)", "takeLeft(2)"] {
        let found = server.ask("moves", &json!({"state": state}));
        let moves = found["moves"].as_array().expect("moves");
        let chosen = moves.iter().find(|one| one["transition"] == transition).expect("it can happen");
        for change in chosen["changes"].as_array().expect("changes") {
            let index = change[0].as_u64().expect("an index") as usize;
            assert_eq!(change[1], json!(state[index]));
            state[index] = change[2].as_i64().expect("a value");
        }
    }
    assert_eq!(server.ask("moves", &json!({"state": state}))["all"], 0);
    let found = server.ask("check", &json!({"property": "deadlock"}));
    assert_eq!((found["verdict"].as_str(), found["trace"]["steps"].as_array().map(Vec::len)), (Some("fails"), Some(3)));
    let around = server.ask("around", &json!({"state": about["initial"][0], "steps": 1}));
    assert_eq!(around["states"].as_array().map(Vec::len), Some(4));
    let merged = server.ask("around", &json!({"state": about["initial"][0], "steps": 1, "merge": true}));
    assert_eq!(merged["states"].as_array().map(Vec::len), Some(2));
    let way = server.ask("find", &json!({"state": about["initial"][0], "formula": "at[1]:eating == 1"}));
    assert_eq!(way["trace"]["steps"].as_array().map(Vec::len), Some(2));
    let never = server.ask("find", &json!({"state": state, "formula": "at[1]:eating == 1"}));
    assert!(never["trace"].is_null() && never["why"].as_str().is_some_and(|why| why.contains("from here")));
}

/// The system is asked to show the page.
#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("opener");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (opener, opened) = (folder.join("xdg-open"), folder.join("opened"));
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > '{0}.new' && mv '{0}.new' '{0}'\n", opened.display()))
        .expect("a program");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
    let _ = std::fs::remove_file(&opened);
    let paths = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(env!("CARGO_BIN_EXE_mandala"));
    command.args(["explore", &model("philosophers.gal")]).env("PATH", paths).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    let mut address = String::new();
    let output = process.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut address).expect("an address");
    let start = Instant::now();
    while !opened.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = process.kill();
    let _ = process.wait();
    assert_eq!(std::fs::read_to_string(&opened).unwrap_or_default(), address);
}

/// Symbolic markings are played as the papers write them, by a path of numbers.
#[test]
fn a_quotient_is_played() {
    let server = Server::start(&[&model("sale-store.sn"), "-D", "P=2", "-D", "G=2"]);
    assert_eq!(server.ask("model", &json!({}))["symbolic"], true);
    let first = server.ask("symbolic", &json!({"path": []}));
    assert_eq!(first["shown"], "waiting(People#0) + warehouse(Gift#0), |People#0| = 2, |Gift#0| = 2");
    assert_eq!((first["stands_for"].as_str(), first["all"].as_u64()), (Some("1"), Some(2)));
    let one = first["moves"].as_array().and_then(|moves| {
        moves.iter().position(|one| one["gone"].as_array().is_some_and(|gone| gone.contains(&json!("|People#0| = 2"))))
    });
    let one = one.expect("one person goes");
    let next = server.ask("symbolic", &json!({"path": [one]}));
    assert_eq!((&next["shown"], next["stands_for"].as_str()), (&first["moves"][one]["shown"], Some("2")));
    // All of them are drawn if they are few.
    let markings = first["markings"].as_u64().expect("few");
    assert!(first["svg"].as_str().is_some_and(|svg| svg.contains("<svg")) && markings > 5, "{markings}");
    for wrong in [json!({}), json!({"path": [99]}), json!({"path": ["x"]}), json!({"path": vec![0; 2000]})] {
        assert!(server.ask("symbolic", &wrong)["error"].is_string(), "{wrong}");
    }
    let plain = Server::start(&[&model("philosophers.gal"), "-D", "N=3"]);
    assert_eq!(plain.ask("model", &json!({}))["symbolic"], false);
    assert!(plain.ask("symbolic", &json!({"path": []}))["error"].is_string());
}

#[test]
fn the_page_is_whole() {
    let server = Server::start(&[&model("philosophers.gal")]);
    let (status, page) = server.request("GET", &format!("/{}/", server.token), &server.host(), "");
    assert_eq!(status, 200);
    assert!(page.contains("<title>Table - Mandala</title>") && !page.contains("{{"));
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing is fetched from elsewhere");
}

#[test]
fn who_is_not_the_page_is_refused() {
    let server = Server::start(&[&model("philosophers.gal")]);
    let (api, page) = (format!("/{}/api/model", server.token), format!("/{}/", server.token));
    let host = server.host();
    // Without the token, or with another.
    for path in ["/", "/api/model", "/00000000000000000000000000000000/api/model", "/favicon.ico"] {
        assert_eq!(server.request("POST", path, &host, "{}").0, 403, "{path}");
    }
    // Another Host, as after DNS rebinding, or none.
    for host in ["Host: evil.example\r\n", "Host: evil.example:80\r\nHost: 127.0.0.1\r\n", ""] {
        assert_eq!(server.request("POST", &api, host, "{}").0, 403, "{host}");
        assert_eq!(server.request("GET", &page, host, "").0, 403, "{host}");
    }
    // Another origin.
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"] {
        let headers = format!("{host}Origin: {origin}\r\n");
        assert_eq!(server.request("POST", &api, &headers, "{}").0, 403, "{origin}");
    }
    let own = format!("{host}Origin: http://127.0.0.1:{}\r\n", server.port);
    assert_eq!(server.request("POST", &api, &own, "{}").0, 200);
    // Other addresses of this machine are not listened to.
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
    // Nothing else is there, and nothing is written.
    for (method, path) in [("GET", &api), ("PUT", &api), ("DELETE", &page), ("POST", &page)] {
        assert!([404, 405].contains(&server.request(method, path, &host, "").0), "{method} {path}");
    }
    let outside = format!("/{}/../../Cargo.toml", server.token);
    assert_eq!(server.request("GET", &outside, &host, "").0, 404);
}

#[test]
fn what_is_too_large_is_refused() {
    let server = Server::start(&[&model("philosophers.gal")]);
    let api = format!("POST /{}/api/moves HTTP/1.1\r\n{}", server.token, server.host());
    // 100 MB, announced and sent.
    let mut large = format!("{api}Content-Length: 104857600\r\n\r\n").into_bytes();
    large.resize(large.len() + 104_857_600, b'[');
    assert!([413, 0].contains(&server.send(&large).0), "refused, or hung up on");
    assert_eq!(server.send(format!("{api}Content-Length: 104857600\r\n\r\n").as_bytes()).0, 413);
    assert_eq!(server.send(format!("{api}Transfer-Encoding: chunked\r\n\r\n").as_bytes()).0, 411);
    assert_eq!(server.send(format!("{api}X: {}\r\n\r\n", "x".repeat(1 << 20)).as_bytes()).0 / 100, 4);
    // Deeply nested, wrong, or of another model.
    let asked = |body: &str| server.request("POST", &format!("/{}/api/moves", server.token), &server.host(), body);
    assert_eq!(asked(&"[".repeat(1 << 20)).0, 400);
    for body in ["{}", "[]", "3", r#"{"state": [1]}"#, r#"{"state": [99999999999]}"#, r#"{"state": "x"}"#] {
        let (status, text) = asked(body);
        assert!(status == 200 && text.contains("error"), "{body}: {text}");
    }
    let formula = json!({"formula": "!".repeat(100_000)});
    assert!(server.ask("check", &formula)["error"].as_str().is_some_and(|error| error.contains("too long")));
    let deep = json!({"formula": format!("AG {} x", "(".repeat(9_000))});
    assert!(server.ask("check", &deep)["error"].is_string());
    assert_eq!(server.ask("model", &json!({}))["shape"], "composite", "it is still there");
}

#[test]
fn a_formula_that_takes_for_ever_is_ended() {
    let endless = std::env::temp_dir().join(format!("mandala-endless-{}.gal", std::process::id()));
    let text = "gal endless { array [14] x = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13); transition mix (0..13 $i, \
                0..13 $j) [$i != $j] { x[$i] = (x[$i] * 17 + x[$j] * x[$j] + 3) % 251; } }";
    std::fs::write(&endless, text).expect("a file");
    let server = Server::start(&[&endless.to_string_lossy(), "--timeout", "2s", "--memory", "1G"]);
    let start = Instant::now();
    let answer = server.ask("check", &json!({"formula": "AG EF x[0] == 250"}));
    assert_eq!(answer["verdict"], "unknown", "{answer}");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    // Who does not want to wait stops it; other requests are answered meanwhile.
    let about = server.ask("model", &json!({}));
    let asked = json!({"state": about["initial"][0], "formula": "x[0] == 250 && x[1] == 250 && x[2] == 250"});
    let found = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.ask("find", &asked));
        std::thread::sleep(Duration::from_millis(200));
        assert!(server.ask("moves", &json!({"state": about["initial"][0]}))["all"].as_u64() > Some(0));
        server.ask("stop", &json!({}));
        waiting.join().expect("an answer")
    });
    assert!(found["error"] == "stopped" || found["trace"].is_null(), "{found}");
    let _ = std::fs::remove_file(&endless);
}

#[test]
fn a_model_whose_states_are_too_large_is_refused() {
    let folded = std::env::temp_dir().join(format!("mandala-folded-{}.gal", std::process::id()));
    let program = env!("CARGO_BIN_EXE_mandala");
    let mut command = Command::new(program);
    command.args(["generate", "philosophers", "2^100", "--shape", "fold", "-o"]).arg(&folded);
    assert!(command.status().expect("a model").success());
    let output = Command::new(program).args(["explore", "--no-open"]).arg(&folded).output().expect("an end");
    let _ = std::fs::remove_file(&folded);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a state has more than"), "{output:?}");
}
