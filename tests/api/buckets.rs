//! Files in a bucket: a server that speaks S3 is started for each test, behind a connection that the test can interrupt.

use std::path::PathBuf;
use std::time::Duration;

use chrono::Duration as Span;
use http::{HeaderMap, HeaderValue, Method};
use hyper_util::rt::{TokioExecutor, TokioIo};
use planwright_testkit::{Answer, Engine, Line, TestApp, each_engine};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::file_imports::form;
use crate::site::{Site, text};

const KEY: (&str, &str) = ("PLANWRIGHTTESTS", "a secret of these tests only");

/// A server with one bucket, `plans`.
struct BucketServer {
    directory: tempfile::TempDir,
    line: Line,
}

impl BucketServer {
    async fn start() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        std::fs::create_dir(directory.path().join("plans")).expect("the bucket can be made");
        let files = s3s_fs::FileSystem::new(directory.path()).expect("the directory is there");
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(KEY.0, KEY.1));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                let connections = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                tokio::spawn(async move {
                    // A connection that the test cut ends with an error.
                    let _ = connections.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Self { directory, line: Line::to(address.to_string()).await }
    }

    async fn app(&self, engine: Engine) -> TestApp {
        let endpoint = format!("http://127.0.0.1:{}", self.line.port);
        let settings = [
            ("SVC_DEFAULT_FILE_STORAGE", "s3"),
            ("SVC_S3_BUCKET", "plans"),
            ("SVC_S3_ENDPOINT", &endpoint),
            ("SVC_S3_ACCESS_KEY_ID", KEY.0),
            ("SVC_S3_SECRET_ACCESS_KEY", KEY.1),
            ("SVC_S3_PREFIX", "planwright/files"),
        ];
        TestApp::start_with(engine, &settings).await
    }

    /// The complete files in the bucket.
    fn objects(&self) -> Vec<PathBuf> {
        files_below(self.directory.path().join("plans"))
    }

    /// The parts of uploads that are under way.
    fn parts(&self) -> usize {
        let entries = std::fs::read_dir(self.directory.path()).expect("the directory can be read");
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.contains(".part-")).count()
    }
}

fn files_below(directory: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.flat_map(|path| if path.is_dir() { files_below(path) } else { vec![path] }).collect()
}

/// The files of an installation that are not complete yet.
fn incoming(app: &TestApp) -> usize {
    files_below(app.directory.path().join("attachments")).len()
}

/// Fetches a file without a credential, as a browser does that follows an address.
async fn fetch(app: &TestApp, url: &str, range: Option<&'static str>) -> Answer {
    let headers = range.map(|range| (http::header::RANGE, HeaderValue::from_static(range)));
    let path = url.find("/files/").map_or(url, |at| &url[at..]);
    app.send(Method::GET, path, HeaderMap::from_iter(headers), Vec::new()).await
}

async fn put(site: &Site<'_>, task: &str, content: &str) -> Answer {
    let (media_type, body) = form("pipes.csv", content, &[]);
    site.owner.post_raw(&site.at(&format!("tasks/{task}/attachments/")), &media_type, body).await
}

async fn signed(site: &Site<'_>, made: &Value) -> String {
    text(&site.owner.get(text(&made["file"])).await.expect(200)["url"]).to_owned()
}

each_engine! {
    async fn a_file_goes_into_the_bucket_and_comes_back_whole_and_in_part(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let made = put(&site, &task, "name;length\nA;3\n").await.expect(201);
        assert_eq!((server.objects().len(), incoming(&app)), (1, 0));
        let shown = server.objects()[0].display().to_string();
        assert!(shown.contains("/plans/planwright/files/") && !shown.contains("pipes"), "{shown}");
        let url = signed(&site, &made.json).await;
        let whole = fetch(&app, &url, None).await.expect(200);
        assert_eq!(whole.text, "name;length\nA;3\n");
        assert_eq!(whole.header("x-content-type-options"), "nosniff");
        let part = fetch(&app, &url, Some("bytes=5-10")).await.expect(206);
        assert_eq!((part.text.as_str(), part.header("content-range")), ("length", "bytes 5-10/16"));
        assert_eq!(fetch(&app, &url, Some("bytes=-4")).await.expect(206).text, "A;3\n");
        crate::files_on_tasks::conditions_hold(&app, &url).await;
        app.finish().await;
    }

    async fn a_large_file_is_sent_in_parts_and_comes_back_the_same(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let large: String = (0..1_300_000).map(|row| format!("{row};pipe\n")).collect();
        assert!(large.len() > 12 << 20, "three parts");
        let made = put(&site, &task, &large).await.expect(201);
        assert_eq!((&made["file_size"], server.objects().len(), server.parts()), (&json!(large.len()), 1, 0));
        let url = signed(&site, &made.json).await;
        assert!(fetch(&app, &url, None).await.expect(200).text == large, "the same bytes");
        let edge = fetch(&app, &url, Some("bytes=5242870-5242889")).await.expect(206);
        assert_eq!(edge.text, large[5_242_870..5_242_890]);
        app.finish().await;
    }

    async fn while_the_bucket_is_away_files_get_503_and_nothing_is_half_written(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let made = put(&site, &task, "a;b\n").await.expect(201);
        let url = signed(&site, &made.json).await;
        server.line.cut();
        let refused = put(&site, &task, "c;d\n").await.expect(503);
        assert_eq!((text(&refused["code"]), refused.header("retry-after")), ("file_storage_unavailable", "1"));
        assert_eq!(text(&fetch(&app, &url, None).await.expect(503)["code"]), "file_storage_unavailable");
        let list = site.owner.get(&site.at(&format!("tasks/{task}/attachments/"))).await.expect(200);
        assert_eq!((list.results().len(), server.objects().len(), incoming(&app)), (1, 1, 0));
        server.line.mend();
        fetch(&app, &url, None).await.expect(200);
        put(&site, &task, "c;d\n").await.expect(201);
        app.finish().await;
    }

    async fn an_upload_that_is_cut_between_its_parts_leaves_no_file_and_no_row(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let large = "a;b\n".repeat(10 << 20);
        let cutting = async {
            while server.parts() == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            server.line.cut();
        };
        let (answer, ()) = tokio::join!(put(&site, &task, &large), cutting);
        assert_eq!(text(&answer.expect(503)["code"]), "file_storage_unavailable");
        assert_eq!((server.objects().len(), incoming(&app)), (0, 0));
        let list = site.owner.get(&site.at(&format!("tasks/{task}/attachments/"))).await.expect(200);
        assert_eq!(list.results().len(), 0);
        app.finish().await;
    }

    async fn the_sweep_removes_files_without_a_row_and_no_others(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let made = put(&site, &task, "a;b\n").await.expect(201);
        let kept = server.objects();
        let files = server.directory.path().join("plans/planwright/files");
        let orphan = files.join("0a").join(format!("0a{}", "bc".repeat(19)));
        // Other names below our folder, and everything beside it, were put there by somebody else.
        let of_others = [files.join("0a/0abc"), files.join("photos/2026.png"), server.directory.path().join("plans/of-others")];
        for file in of_others.iter().chain([&orphan]) {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "never referred to").unwrap();
        }
        app.run_jobs().await;
        assert!(orphan.exists(), "a young file may belong to an upload that is under way");
        app.later(Span::days(40_000));
        app.run_jobs().await;
        assert!(!orphan.exists());
        assert!(of_others.iter().all(|file| file.exists()), "{of_others:?}");
        assert!(kept.iter().all(|file| file.exists()), "{}", made.text);
        app.finish().await;
    }

    async fn a_file_that_vanished_from_the_bucket_is_said_to_be_missing(engine: Engine) {
        let server = BucketServer::start().await;
        let app = server.app(engine).await;
        let site = Site::new(&app).await;
        let task = site.task("Dig", 1).await.to_string();
        let made = put(&site, &task, "a;b\n").await.expect(201);
        let url = signed(&site, &made.json).await;
        server.objects().into_iter().for_each(|file| std::fs::remove_file(file).unwrap());
        assert_eq!(text(&fetch(&app, &url, None).await.expect(404)["code"]), "file_missing");
        app.finish().await;
    }
}
