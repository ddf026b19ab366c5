//! The page: one file, put together from its three parts, with nothing fetched from elsewhere.

use super::http::Response;

const FRAME: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const PARTS: [&str; 5] = [
    include_str!("page/state.js"),
    include_str!("page/draw.js"),
    include_str!("page/ask.js"),
    include_str!("page/symbolic.js"),
    include_str!("page/main.js"),
];

/// Only what is in the page itself runs or is shown; styles are set by the pictures too.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-%'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page for a model.
pub fn page(name: &str) -> Response {
    let nonce = format!("{:016x}", std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0));
    let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // The name comes last: it may have anything in it.
    let body = FRAME
        .replace("{{nonce}}", &nonce)
        .replace("{{style}}", STYLE)
        .replace("{{script}}", &PARTS.concat())
        .replace("{{name}}", &name);
    Response {
        status: 200,
        kind: "text/html; charset=utf-8",
        headers: vec![("Content-Security-Policy", POLICY.replace('%', &nonce))],
        body: body.into_bytes(),
    }
}
