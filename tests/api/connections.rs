//! Clients that take their time, and clients that come in numbers, over real connections.
//! What a complete request may cost is limited in `edge.rs`.

use std::net::SocketAddr;
use std::time::Duration;

use planwright_testkit::{Person, Served, both_engines};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::site::Site;

const PATIENCE: Duration = Duration::from_secs(20);

async fn connect(address: SocketAddr, begin: &str) -> TcpStream {
    let mut line = TcpStream::connect(address).await.expect("the node listens");
    line.write_all(begin.as_bytes()).await.expect("the line takes a few bytes");
    line
}

/// All that the node says before it hangs up.
async fn rest(mut line: TcpStream) -> String {
    let mut said = Vec::new();
    let reading = timeout(PATIENCE, line.read_to_end(&mut said)).await.expect("the node hangs up in time");
    // A line that was reset says no more than one that was closed.
    let _ = reading;
    String::from_utf8_lossy(&said).into_owned()
}

async fn answers(served: &Served) -> bool {
    let request = "GET /api/v1/health/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    rest(connect(served.address, request).await).await.starts_with("HTTP/1.1 200")
}

const HALF_A_HEAD: &str = "GET /api/v1/health/ HTTP/1.1\r\nHost: localh";

const HALF_A_FILE: &str = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\
                           Content-Type: text/csv\r\n\r\na;b\n";

/// The begin of an upload that ends with the rest of this file.
fn upload(site: &Site<'_>, person: &Person<'_>, task: &str, begin: &str) -> String {
    let length = HALF_A_FILE.len() + "c;d\n\r\n--edge--\r\n".len();
    format!(
        "POST {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: {}\r\n\
         Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {length}\r\n\r\n{begin}",
        site.at(&format!("tasks/{task}/attachments/")),
        person.authorization()
    )
}

both_engines! {
    async fn half_a_head_of_a_request_is_waited_for_so_long_and_no_longer(
        app: &TestApp,
        "SVC_REQUEST_HEADER_SECONDS" = "1"
    ) {
        let served = app.serve().await;
        let begun = Instant::now();
        let silent = connect(served.address, "").await;
        let slow = connect(served.address, HALF_A_HEAD).await;
        assert!(!rest(slow).await.contains("200 OK"));
        assert!(!rest(silent).await.contains("200 OK"));
        assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
        assert!(answers(&served).await);
        served.stop().await;
    }

    async fn half_a_body_is_waited_for_so_long_and_no_longer(
        app: &TestApp,
        "SVC_REQUEST_BODY_SECONDS" = "1"
    ) {
        let served = app.serve().await;
        let request = "POST /api/v1/auth/token/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\
                       Content-Type: application/json\r\n\r\n{\"user";
        let said = rest(connect(served.address, request).await).await;
        assert!(said.starts_with("HTTP/1.1 408"), "{said}");
        assert!(answers(&served).await);
        served.stop().await;
    }

    async fn half_a_file_is_waited_for_so_long_and_no_longer(app: &TestApp, "SVC_REQUEST_BODY_SECONDS" = "1") {
        let (site, served) = (Site::new(app).await, app.serve().await);
        let task = site.task("Dig", 1).await;
        for part in ["", HALF_A_FILE] {
            let request = upload(&site, &site.owner, &task, part);
            let said = rest(connect(served.address, &request).await).await;
            assert!(said.starts_with("HTTP/1.1 408"), "{said}");
        }
        assert_eq!(site.owner.get(&site.at(&format!("tasks/{task}/attachments/"))).await.expect(200)["count"], 0);
        served.stop().await;
    }

    async fn whoever_loses_their_account_while_a_file_comes_does_not_store_it(app: &TestApp) {
        let (site, served) = (Site::new(app).await, app.serve().await);
        let (task, mara, admin) = (site.task("Dig", 1).await, site.person("mara", 100).await, app.admin().await);
        let mut line = connect(served.address, &upload(&site, &mara, &task, HALF_A_FILE)).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        admin.delete(&format!("/api/v1/workspace/members/{}/", mara.id)).await.expect(204);
        line.write_all(b"c;d\n\r\n--edge--\r\n").await.expect("the line takes the rest");
        let said = rest(line).await;
        assert!(said.starts_with("HTTP/1.1 401"), "{said}");
        assert_eq!(site.owner.get(&site.at(&format!("tasks/{task}/attachments/"))).await.expect(200)["count"], 0);
        served.stop().await;
    }

    async fn an_address_has_so_many_connections_and_gets_them_back(
        app: &TestApp,
        "SVC_MAX_CONNECTIONS_PER_ADDRESS" = "3"
    ) {
        let served = app.serve().await;
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(connect(served.address, HALF_A_HEAD).await);
        }
        // What is taken is taken in turn, so this one finds all places given away.
        let mut refused = TcpStream::connect(served.address).await.unwrap();
        let ended = timeout(PATIENCE, refused.read(&mut [0; 16])).await.expect("the node hangs up at once");
        assert!(matches!(ended, Ok(0) | Err(_)));
        held.clear();
        let begun = Instant::now();
        while !answers(&served).await {
            assert!(begun.elapsed() < PATIENCE, "the places were not given back");
        }
        served.stop().await;
    }

    async fn many_slow_clients_leave_room_for_others(
        app: &TestApp,
        "SVC_MAX_CONNECTIONS" = "8", "SVC_REQUEST_HEADER_SECONDS" = "1"
    ) {
        let served = app.serve().await;
        let mut held = Vec::new();
        for _ in 0..30 {
            held.push(connect(served.address, HALF_A_HEAD).await);
        }
        let begun = Instant::now();
        while !answers(&served).await {
            assert!(begun.elapsed() < PATIENCE, "nobody else got through");
        }
        served.stop().await;
    }
}
