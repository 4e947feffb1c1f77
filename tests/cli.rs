//! The command line as it is used: each page of tests/cli is a session, run as it stands.

#[test]
fn sessions_go_as_written() {
    trycmd::TestCases::new().env("LC_ALL", "C.UTF-8").case("tests/cli/*.md");
}
