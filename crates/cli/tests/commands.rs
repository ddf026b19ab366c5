//! Every verb, every exit status and every message, as a user sees them: see the files in `tests/cmd`.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").run();
}
