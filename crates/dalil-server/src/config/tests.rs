use expect_test::expect;

use super::*;

#[test]
fn what_is_not_named_is_as_usual() {
    assert_eq!(ServeConfig::parse(b"{}").unwrap(), ServeConfig::usual());
    let config = ServeConfig::parse(br#"{"listen":"[::1]:9","limits":{"rate":7}}"#).unwrap();
    let limits = ServerLimits { rate: 7, ..ServeConfig::usual().limits };
    let listen = "[::1]:9".parse().unwrap();
    assert_eq!(config, ServeConfig { listen, limits, ..ServeConfig::usual() });
}

#[test]
fn every_fault_is_said_at_once() {
    let text = br#"{"listen":"here","public_url":"ftp://a","limits":{"rate":0,"more":1},
        "oidc":{"issuer":"https://a:s3cret@b"},"openfga":{"url":"https://fga","store_id":"../x"},
        "judge":{"mode":"slow","endpoint":{"url":"a"}},"tls":{},"other":true}"#;
    expect![[r#"
        `listen`: expected an address such as `[::1]:8700`, found `here`
        `public_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII characters, without user, query and fragment, found `ftp://a`
        `limits.rate`: expected a whole number from 1 to 1000000, found `0`
        `limits.more`: expected only memory, anonymous_memory, reader_memory, body, upload, anonymous_upload, seconds, rate, burst, connections, connections_per_address, checks, verifications, threads, readers, found a field it does not know
        hint: remove the field or correct its name
        `judge.mode`: expected one of `auto`, `fast`, `deep`, found `slow`
        `judge.endpoint.url`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found `a`
        `judge.endpoint.model`: expected a value, found nothing
        `oidc.issuer`: expected an `http` or `https` URL with a host, of printable ASCII characters, without user, query and fragment, found something else
        `oidc.audience`: expected a value, found nothing
        `openfga.store_id`: expected letters, digits, `-` and `_`, found `../x`
        `tls.certificate`: expected a value, found nothing
        `tls.key`: expected a value, found nothing
        `other`: expected only listen, public_url, public_trails, limits, judge, oidc, openfga, tls, metrics_key_file, timestamps, otlp, link_seconds, stop_seconds, found a field it does not know
        hint: remove the field or correct its name"#]]
    .assert_eq(&ServeConfig::parse(text).unwrap_err().to_string());
}

#[test]
fn the_public_address_is_one_that_pages_can_name() {
    let parsed = |url: &str| {
        let config = serde_json::json!({"public_url": url}).to_string();
        ServeConfig::parse(config.as_bytes())
            .map(|config| (config.public_url.clone(), config.verify_url()))
    };
    let known = Some("https://dalil.example".to_owned());
    let page = Some("https://dalil.example/verify".to_owned());
    assert_eq!(parsed("https://dalil.example/").unwrap(), (known, page));
    // With the path of the page that verifies it has 256 characters.
    let longest = format!("https://{}", "a".repeat(241));
    assert_eq!(parsed(&longest).unwrap().0, Some(longest.clone()));
    let refused = [
        &*(longest + "a"),
        "https://دليل.example",
        "https://a\u{202e}b.example",
        "https:///",
        "https://:8700",
    ];
    for url in refused {
        let why = parsed(url).unwrap_err().to_string();
        let rule = "`public_url`: expected an `http` or `https` URL with a host, of at most 256 printable ASCII \
            characters, without user, query and fragment, found `https://";
        assert!(why.starts_with(rule), "{why}");
    }
}

#[test]
fn other_addresses_may_be_longer_and_have_a_host_as_well() {
    let parsed = |url: &str| {
        let config = serde_json::json!({
            "judge": {"endpoint": {"url": url, "model": "m"}},
            "oidc": {"issuer": url, "audience": "a"},
            "openfga": {"url": url, "store_id": "s"},
            "otlp": url,
            "timestamps": {"authorities": [
                {"url": url, "name": "a", "certificate_file": "a.pem"}]},
        });
        ServeConfig::parse(config.to_string().as_bytes())
    };
    // A gateway of a cloud has an address of this kind.
    let long = format!("https://gateway.example/{}", "a".repeat(300));
    let config = parsed(&long).unwrap();
    let JudgeConfig::Endpoint(judge) = config.judge else { panic!("no endpoint") };
    let stamping = config.timestamps.unwrap().authorities.remove(0).url;
    let (oidc, fga) = (config.oidc.unwrap().issuer, config.openfga.unwrap().url);
    for url in [judge.url, oidc, fga, config.otlp.unwrap(), stamping] {
        assert_eq!(url, long);
    }
    let told = |url: &str| parsed(url).unwrap_err().to_string();
    let rule = "expected an `http` or `https` URL with a host, of printable ASCII characters, \
        without user, query and fragment, found `https:///`";
    expect![[r#"
        `judge.endpoint.url`: RULE
        `oidc.issuer`: RULE
        `openfga.url`: RULE
        `timestamps.authorities[0].url`: RULE
        `otlp`: RULE"#]]
    .assert_eq(&told("https:///").replace(rule, "RULE"));
}

#[test]
fn people_sign_in_at_a_provider_that_leads_back_to_a_known_address() {
    let signin = |text: &str, public_url: &str| -> Result<OidcSignInConfig, String> {
        let config = format!(
            r#"{{{public_url}"oidc":{{"issuer":"https://id.example","audience":"a","signin":{text}}}}}"#
        );
        let config =
            ServeConfig::parse(config.as_bytes()).map_err(|refused| refused.to_string())?;
        Ok(config.oidc.unwrap().signin.unwrap())
    };
    let own = r#""public_url":"https://dalil.example","#;
    let usual = OidcSignInConfig {
        client_id: "viewer".to_owned(),
        client_secret_file: None,
        scope: "openid".to_owned(),
    };
    assert_eq!(signin(r#"{"client_id":"viewer"}"#, own), Ok(usual.clone()));
    let whole = OidcSignInConfig {
        client_secret_file: Some(PathBuf::from("secret")),
        scope: "openid profile".to_owned(),
        ..usual
    };
    let text = r#"{"client_id":"viewer","client_secret_file":"secret","scope":"openid profile"}"#;
    assert_eq!(signin(text, own), Ok(whole));
    let refused = |text: &str, public_url: &str| signin(text, public_url).unwrap_err();
    expect!["`oidc.signin.client_id`: expected a value, found nothing"]
        .assert_eq(&refused("{}", own));
    expect!["`oidc.signin.scope`: expected a scope with `openid`, found `profile`"]
        .assert_eq(&refused(r#"{"client_id":"viewer","scope":"profile"}"#, own));
    expect!["`public_url`: expected the address of the viewer, to which `oidc.signin` leads back, found none"]
        .assert_eq(&refused(r#"{"client_id":"viewer"}"#, ""));
}

#[test]
fn a_judge_is_models_of_this_machine_or_an_endpoint() {
    let judge = |text: &str| {
        let config = format!(r#"{{"judge":{text}}}"#);
        ServeConfig::parse(config.as_bytes())
            .map(|config| config.judge)
            .map_err(|refused| refused.to_string())
    };
    let models =
        |choice, file: Option<&str>| JudgeConfig::Models { choice, file: file.map(PathBuf::from) };
    assert_eq!(judge("{}"), Ok(models(ModelChoice::Auto, None)));
    assert_eq!(judge(r#"{"mode":"fast"}"#), Ok(models(ModelChoice::Fast, None)));
    let deep = models(ModelChoice::Deep, Some("/srv/deep.model"));
    assert_eq!(judge(r#"{"mode":"deep","model_file":"/srv/deep.model"}"#), Ok(deep));
    let endpoint = JudgeEndpoint {
        url: "https://judge/v1".to_owned(),
        model: "m".to_owned(),
        key_file: Some(PathBuf::from("key")),
        mask: true,
    };
    let text =
        r#"{"endpoint":{"url":"https://judge/v1/","model":"m","key_file":"key","mask":true}}"#;
    assert_eq!(judge(text), Ok(JudgeConfig::Endpoint(endpoint)));
    assert_eq!(
        judge(r#"{"mode":"fast","endpoint":{"url":"https://judge","model":"m"}}"#),
        Err("`judge`: expected an `endpoint`, or a `mode` and a `model_file`, found both"
            .to_owned())
    );
}

#[test]
fn each_time_stamping_authority_has_a_name_and_the_whole_of_its_address() {
    let parsed = |names: &[&str]| {
        let named = |name: &&str| serde_json::json!({"url": "https://tsa.example/tsr/", "name": name, "certificate_file": "a.pem"});
        let authorities: Vec<_> = names.iter().map(named).collect();
        let config = serde_json::json!({"timestamps": {"authorities": authorities}});
        ServeConfig::parse(config.to_string().as_bytes())
    };
    let config = parsed(&["a", "b"]).unwrap().timestamps.unwrap();
    let urls: Vec<_> = config.authorities.iter().map(|one| one.url.as_str()).collect();
    assert_eq!((urls, config.seconds), (vec!["https://tsa.example/tsr/"; 2], 3600));
    expect![
        "`timestamps.authorities`: expected each time-stamping authority once, found a name twice"
    ]
    .assert_eq(&parsed(&["a", "b", "a"]).unwrap_err().to_string());
}
