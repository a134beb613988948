//! What an operator may write, what it means, and what a mistake is answered with.

use super::*;
use sha2::{Digest, Sha256};
use sift_layers::Class;
use std::{collections::HashMap, fs, time::Duration};
use tempfile::TempDir;

/// A directory with `config.toml`, and an environment of its own.
struct Case {
    directory: TempDir,
    env: HashMap<String, String>,
}

impl Case {
    fn new(toml: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("config.toml"), toml).unwrap();
        Self { directory, env: HashMap::new() }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    fn load(&self) -> Result<Loaded, ConfigError> {
        load(Some(&self.directory.path().join("config.toml")), &|name| self.env.get(name).cloned())
    }

    fn error(&self) -> String {
        let path = self.directory.path().display().to_string();
        self.load().unwrap_err().to_string().replace(&path, "DIR")
    }
}

fn origin(loaded: &Loaded, key: &str) -> (String, String) {
    let effective = loaded.values.iter().find(|effective| effective.key.name == key).unwrap();
    (effective.value.clone(), effective.origin.to_string())
}

#[test]
fn without_a_file_every_key_has_its_default() {
    let Loaded { config, file, values } = load(None, &|_| None).unwrap();
    assert_eq!(file, None);
    assert_eq!(values.len(), KEYS.len());
    assert!(values.iter().all(|effective| effective.origin == Origin::Default));
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8787");
    assert_eq!(config.admin.listen.to_string(), "127.0.0.1:8788");
    assert_eq!((config.pdf.slots, config.pdf.places), (2, 4));
    assert_eq!(config.pdf.patience, Duration::from_secs(20));
    assert_eq!(config.pdf.child_memory, 384 << 20);
    assert_eq!(config.pdf.sandbox, Sandbox::BestEffort);
    assert_eq!((config.limits.pdf_bytes, config.limits.others_bytes), (104_857_600, 5_242_880));
    assert_eq!((config.cache.max_bytes, config.cache.ttl.pdf), (1 << 30, Duration::from_hours(24)));
    assert_eq!(config.cache.dir, None, "without a home there is no place on disk");
    assert_eq!((config.view.out_cap, config.view.ceiling), (40_000, 400_000));
    assert_eq!((&config.egress.fleet, &config.egress.restricted), (&Reach::default(), &Reach::default()));
    assert!(config.callers.is_empty() && config.may_serve().is_ok());
}

#[test]
fn the_environment_goes_before_the_file_and_the_file_before_the_default() {
    let case = Case::new("[pdf]\nslots = 3\npatience = 30\n[cache.ttl]\nhtml = \"1h\"\n[egress]\nallow_ports = [8080]")
        .with("SIFT_PDF_PATIENCE", "5s")
        .with("SIFT_EGRESS_ALLOW_PRIVATE", "10.0.0.0/8, ::1")
        .with("SIFT_LISTEN", "127.0.0.1:1")
        .with("SIFT_SERVER_LISTEN", "127.0.0.1:2");
    let loaded = case.load().unwrap();
    let config = &loaded.config;
    assert_eq!((config.pdf.slots, config.pdf.places, config.pdf.patience), (3, 4, Duration::from_secs(5)));
    assert_eq!(config.cache.ttl.html, Duration::from_hours(1));
    assert_eq!(config.server.listen.port(), 1);
    assert_eq!(config.egress.fleet.allow_ports, [8080]);
    assert_eq!(config.egress.fleet.allow_private, ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
    for (key, value, from) in [
        ("pdf.slots", "3", "file"),
        ("pdf.places", "4", "default"),
        ("pdf.patience", "5s", "SIFT_PDF_PATIENCE"),
        ("server.listen", "127.0.0.1:1", "SIFT_LISTEN"),
        ("egress.allow_ports", "8080", "file"),
    ] {
        assert_eq!(origin(&loaded, key), (value.to_owned(), from.to_owned()));
    }
}

#[test]
fn every_key_can_be_set_by_its_variable() {
    for key in KEYS {
        let value = match key.name {
            name if name.ends_with("listen") => "127.0.0.1:9",
            name if name.ends_with("allow_private") => "10.0.0.0/8",
            name if name.ends_with("allow_ports") => "9",
            name if name.ends_with("nat64_prefix") => "64:ff9b::/96",
            "telemetry.otlp_endpoint" => "http://127.0.0.1:4318",
            name if name.ends_with("allow_names") || name == "cache.dir" => "/x",
            _ => key.default,
        };
        for variable in key.variables() {
            let loaded = Case::new("").with(&variable, value).load().unwrap();
            assert_eq!(origin(&loaded, key.name), (value.to_owned(), variable));
        }
    }
}

#[test]
fn restricted_callers_reach_what_all_reach_unless_it_says_otherwise() {
    let case = Case::new(
        "[egress]\nallow_private = [\"127.0.0.1\"]\nallow_ports = [1]\nallow_names = [\"Wiki.Internal.\"]\n\
         nat64_prefix = \"64:ff9b::/96\"\n[egress.restricted]\nallow_private = []\nallow_ports = [2]",
    );
    let egress = case.load().unwrap().config.egress;
    assert_eq!((egress.fleet.allow_private.len(), egress.restricted.allow_private.len()), (1, 0));
    assert_eq!((&egress.fleet.allow_ports[..], &egress.restricted.allow_ports[..]), (&[1][..], &[2][..]));
    assert_eq!(egress.restricted.allow_names, ["wiki.internal"]);
    assert_eq!(egress.restricted.nat64_prefix, egress.fleet.nat64_prefix);
}

#[test]
fn a_mistake_is_answered_with_its_key_its_value_and_what_is_expected() {
    for (toml, error) in [
        ("[pdf]\nslot = 1", "unknown key `pdf.slot`; did you mean `pdf.slots`?"),
        ("[llm]\nbase_url = \"x\"", "unknown key `llm`"),
        ("[servers]\nlisten = 1", "unknown key `servers`; did you mean `server`?"),
        ("listen = \"127.0.0.1:1\"", "unknown key `listen`"),
        ("[cache.ttl]\npdfs = 1", "unknown key `cache.ttl.pdfs`; did you mean `cache.ttl.pdf`?"),
        (
            "[cache.ttl.pdf]\nx = 1",
            "`cache.ttl.pdf` is \"{…}\" (file), but must be a duration such as 20s, 10m or 24h, from 0s to 365d",
        ),
        ("[pdf]\nslots = 0", "`pdf.slots` is \"0\" (file), but must be a whole number from 1 to 256"),
        ("[pdf]\nslots = 257", "`pdf.slots` is \"257\" (file), but must be a whole number from 1 to 256"),
        ("[pdf]\nslots = -1", "`pdf.slots` is \"-1\" (file), but must be a whole number from 1 to 256"),
        ("[pdf]\nsandbox = \"off\"", "`pdf.sandbox` is \"off\" (file), but must be one of: best-effort, require"),
        (
            "[server]\nlisten = \"example.com\"",
            "`server.listen` is \"example.com\" (file), but must be an IP address and a port, such as 127.0.0.1:8787",
        ),
        (
            "[server]\ndrain = \"soon\"",
            "`server.drain` is \"soon\" (file), but must be a duration such as 20s, 10m or 24h, from 0s to 1h",
        ),
        (
            "[limits]\npdf_bytes = \"5GiB\"",
            "`limits.pdf_bytes` is \"5GiB\" (file), but must be a size such as 64KiB, 5MB or 1GiB, from 1KiB to 4GiB",
        ),
        (
            "[egress]\nnat64_prefix = \"64:ff9b::/97\"",
            "`egress.nat64_prefix` is \"64:ff9b::/97\" (file), but must be an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits, \
             such as 64:ff9b::/96",
        ),
        (
            "[view]\nout_cap = 5000\nceiling = 4000",
            "`view.out_cap` is \"5000\" (file), but must be a whole number from 1000 to 4000",
        ),
        ("[pdf\nslots = 1", "DIR/config.toml is not valid TOML in line 1: unclosed table, expected `]`"),
    ] {
        assert_eq!(Case::new(toml).error(), error, "{toml}");
    }
    let from_env = Case::new("").with("SIFT_PDF_SLOTS", "many").error();
    assert_eq!(from_env, "`pdf.slots` is \"many\" (SIFT_PDF_SLOTS), but must be a whole number from 1 to 256");
}

#[test]
fn callers_are_read_with_their_token_or_its_file() {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // of "abc", FIPS 180-2
    let case = Case::new(&format!(
        "[[caller]]\nname = \"ann\"\nclass = \"fleet\"\ntoken_sha256 = \"{digest}\"\nmax_in_flight = 8\nrate = 120\n\
         [[caller]]\nname = \"ben\"\nclass = \"restricted\"\ntoken_file = \"ben.token\""
    ));
    fs::write(case.directory.path().join("ben.token"), "s3cret\n").unwrap();
    let callers = case.load().unwrap().config.callers;
    let [ann, ben] = &callers[..] else { panic!("{callers:?}") };
    assert_eq!((ann.name.as_str(), ann.class, ann.token_sha256), ("ann", Class::Fleet, Sha256::digest("abc").into()));
    assert_eq!((ann.max_in_flight.unwrap().get(), ann.rate.unwrap().get()), (8, 120));
    assert_eq!((ben.class, ben.token_sha256), (Class::Restricted, Sha256::digest("s3cret").into()));
    assert_eq!((ben.max_in_flight, ben.rate), (None, None));
}

#[test]
fn a_mistake_in_a_caller_names_the_caller_and_never_its_token() {
    let digest = "0".repeat(64);
    let caller = |rest: &str| Case::new(&format!("[[caller]]\nname = \"ann\"\nclass = \"fleet\"\n{rest}")).error();
    let ann = format!("token_sha256 = \"{digest}\"");
    assert_eq!(
        caller("token_sha256 = \"hunter2\""),
        "caller \"ann\": `token_sha256` must be 64 hexadecimal digits: the SHA-256 of the token"
    );
    assert_eq!(caller("token_sha = \"x\""), "caller \"ann\": unknown key `token_sha`; did you mean `token_sha256`?");
    assert_eq!(caller(""), "caller \"ann\": it needs one of `token_sha256` and `token_file`");
    assert_eq!(
        caller(&format!("{ann}\ntoken_file = \"x\"")),
        "caller \"ann\": it needs one of `token_sha256` and `token_file`"
    );
    assert_eq!(
        caller("token_file = \"missing\""),
        "caller \"ann\": missing can't be read: No such file or directory (os error 2)"
    );
    assert_eq!(
        caller(&format!("{ann}\nrate = 0")),
        "caller \"ann\": `rate` must be a whole number from 1 to 4294967295"
    );
    let twice = format!("{ann}\n[[caller]]\nclass = \"fleet\"\n{ann}\nname = ");
    assert_eq!(caller(&format!("{twice}\"ann\"")), "caller ann: another caller has the same name");
    assert_eq!(caller(&format!("{twice}\"ben\"")), "caller ben: another caller has the same token");
    for name in ["", "a b", "a\\nb", &"a".repeat(65)] {
        let error = Case::new(&format!("[[caller]]\nname = \"{name}\"\nclass = \"fleet\"\n{ann}")).error();
        assert!(error.ends_with("`name` must be 1 to 64 letters, digits or any of `._@-`"), "{error}");
    }
    let no_class = Case::new(&format!("[[caller]]\nname = \"ann\"\n{ann}")).error();
    assert_eq!(no_class, "caller \"ann\": `class` must be \"fleet\" or \"restricted\"");
    assert_eq!(Case::new("caller = 1").error(), "caller ?: write it as a [[caller]] section");
    let syntax = Case::new("[[caller]]\ntoken_sha256 = hunter2").error();
    assert!(!syntax.contains("hunter2"), "{syntax}");
}

#[test]
fn an_open_address_needs_callers() {
    let ann = format!("[[caller]]\nname = \"ann\"\nclass = \"fleet\"\ntoken_sha256 = \"{}\"", "0".repeat(64));
    for (listen, caller, may) in [
        ("127.0.0.1:1", "", true),
        ("127.8.0.1:1", "", true),
        ("[::1]:1", "", true),
        ("[::ffff:127.0.0.1]:1", "", true),
        ("0.0.0.0:1", "", false),
        ("[::]:1", "", false),
        ("192.168.1.1:1", "", false),
        ("0.0.0.0:1", ann.as_str(), true),
    ] {
        let config = Case::new(caller).with("SIFT_LISTEN", listen).load().unwrap().config;
        assert_eq!(config.may_serve().is_ok(), may, "{listen} {caller}");
    }
    let open = Case::new("").with("SIFT_LISTEN", "0.0.0.0:8787").load().unwrap().config;
    assert_eq!(
        open.may_serve().unwrap_err().to_string(),
        "`server.listen` is 0.0.0.0:8787, which other machines may reach, but no caller is configured: add a [[caller]] with \
         `name`, `class` and `token_sha256`, or listen on 127.0.0.1:8787"
    );
}

#[test]
fn the_file_is_the_one_asked_for_or_the_user_s_own() {
    let home = tempfile::tempdir().unwrap();
    let own = home.path().join(".config/sift");
    let find = |asked: Option<&Path>, pairs: &[(&str, &Path)]| {
        let env: HashMap<_, _> = pairs.iter().map(|(name, path)| (*name, path.to_str().unwrap().to_owned())).collect();
        load(asked, &|name| env.get(name).cloned())
    };
    let at_home = [("HOME", home.path())];
    assert_eq!(find(None, &at_home).unwrap().file, None, "the user's own may lack");
    assert_eq!(find(None, &at_home).unwrap().config.cache.dir, Some(home.path().join(".cache/sift")));
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("config.toml"), "").unwrap();
    fs::write(own.join("other.toml"), "").unwrap();
    let other = own.join("other.toml");
    assert_eq!(find(None, &at_home).unwrap().file, Some(own.join("config.toml")));
    let xdg = home.path().join(".config");
    assert_eq!(find(None, &[("XDG_CONFIG_HOME", &xdg)]).unwrap().file, Some(own.join("config.toml")));
    assert_eq!(find(None, &[("XDG_CONFIG_HOME", Path::new("relative"))]).unwrap().file, None);
    assert_eq!(find(None, &[("SIFT_CONFIG", &other), at_home[0]]).unwrap().file, Some(other.clone()));
    let missing = home.path().join("missing.toml");
    assert!(
        matches!(find(Some(&missing), &[("SIFT_CONFIG", &other)]), Err(ConfigError::Unreadable { path, .. }) if path == missing)
    );
    assert!(
        matches!(find(None, &[("SIFT_CONFIG", &missing)]), Err(ConfigError::Unreadable { .. })),
        "one asked for must be there"
    );
}

#[test]
fn the_readme_lists_every_key_with_its_default() {
    let readme = include_str!("../../README.md");
    for Key { name, default, meaning } in KEYS {
        let shown = if default.is_empty() { "empty".to_owned() } else { format!("`{default}`") };
        assert!(readme.contains(&format!("| `{name}` | {shown} | {meaning} |")), "{name}");
    }
    for Key { name, meaning, .. } in CALLER_KEYS {
        assert!(readme.contains(&format!("| `{name}` | {meaning} |")), "{name}");
    }
}
