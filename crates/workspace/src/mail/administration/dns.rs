//! Looking up text records of names (RFC 1035), at the servers of the machine or at those that a setting names.
//! What the records are worth is in `rules.rs`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use planwright_domain::Entropy;
use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, QCLASS, QTYPE, Question, RCODE, TYPE};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

/// How long one server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Where the servers of the machine are named.
const RESOLVER_FILE: &str = "/etc/resolv.conf";
const PORT: u16 = 53;

/// Looks up text records.
pub struct TextRecords {
    servers: Vec<SocketAddr>,
}

impl TextRecords {
    /// Asks the servers of `SVC_DNS_SERVERS`, or those of the machine when it is empty.
    ///
    /// # Errors
    /// When the setting names something else than addresses with ports.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let text = setting("SVC_DNS_SERVERS");
        let servers = match text.trim().is_empty() {
            true => servers_in(&std::fs::read_to_string(RESOLVER_FILE).unwrap_or_default()),
            false => parse_servers(&text)?,
        };
        Ok(Self { servers })
    }

    /// The text records of a name; none when there is no such name.
    ///
    /// # Errors
    /// When no server answers.
    pub async fn of(&self, name: &str) -> anyhow::Result<Vec<String>> {
        let mut failure = anyhow::anyhow!("no name server is known; SVC_DNS_SERVERS can name one");
        for server in &self.servers {
            match timeout(PATIENCE, ask(*server, name)).await.unwrap_or_else(|late| Err(late.into())) {
                Ok(records) => return Ok(records),
                Err(error) => failure = error.context(format!("{server} does not answer")),
            }
        }
        Err(failure.context("the records cannot be looked up"))
    }
}

/// Asks one server: in one packet, and over a connection when the answer does not fit into one.
async fn ask(server: SocketAddr, name: &str) -> anyhow::Result<Vec<String>> {
    let mut number = [0; 2];
    Entropy.fill(&mut number);
    let id = u16::from_be_bytes(number);
    let question = build_question(id, name)?;
    let answer = ask_by_packet(server, &question).await?;
    match read_answer(id, &answer)? {
        Some(records) => Ok(records),
        None => {
            let answer = ask_by_connection(server, &question).await?;
            read_answer(id, &answer)?.context("the answer is cut")
        }
    }
}

fn build_question(id: u16, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut packet = Packet::new_query(id);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    let name = Name::new(name.trim_end_matches('.')).map_err(|error| anyhow::anyhow!("{name:?}: {error}"))?;
    packet.questions.push(Question::new(name, QTYPE::TYPE(TYPE::TXT), QCLASS::CLASS(CLASS::IN), false));
    packet.build_bytes_vec().map_err(|error| anyhow::anyhow!("the question cannot be written: {error}"))
}

async fn ask_by_packet(server: SocketAddr, question: &[u8]) -> anyhow::Result<Vec<u8>> {
    let own: IpAddr =
        if server.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((own, 0)).await?;
    // Connected, so that only packets of this server are read.
    socket.connect(server).await?;
    socket.send(question).await?;
    let mut answer = vec![0; 4096];
    let length = socket.recv(&mut answer).await?;
    answer.truncate(length);
    Ok(answer)
}

async fn ask_by_connection(server: SocketAddr, question: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server).await?;
    stream.write_u16(u16::try_from(question.len())?).await?;
    stream.write_all(question).await?;
    let mut answer = vec![0; stream.read_u16().await?.into()];
    stream.read_exact(&mut answer).await?;
    Ok(answer)
}

/// The text records of an answer, each with its pieces put together. `None` when the answer is cut.
fn read_answer(id: u16, answer: &[u8]) -> anyhow::Result<Option<Vec<String>>> {
    let packet =
        Packet::parse(answer).map_err(|error| anyhow::anyhow!("the answer is no answer: {error}"))?;
    ensure!(packet.id() == id, "the answer is to another question");
    if packet.has_flags(PacketFlag::TRUNCATION) {
        return Ok(None);
    }
    match packet.rcode() {
        RCODE::NoError => {}
        RCODE::NameError => return Ok(Some(Vec::new())),
        other => bail!("the server refuses: {other:?}"),
    }
    let texts = packet.answers.into_iter().filter_map(|record| match record.rdata {
        RData::TXT(text) => Some(String::try_from(text).context("a record is no UTF-8 text")),
        _ => None,
    });
    texts.collect::<anyhow::Result<_>>().map(Some)
}

fn parse_servers(text: &str) -> anyhow::Result<Vec<SocketAddr>> {
    let servers = text.split(',').map(str::trim).filter(|server| !server.is_empty());
    let parse = |server: &str| {
        server.parse().with_context(|| format!("SVC_DNS_SERVERS: {server:?} is not an address and a port"))
    };
    servers.map(parse).collect()
}

/// The name servers in the text of a resolver file. A line that names none is left out, as every resolver does.
fn servers_in(text: &str) -> Vec<SocketAddr> {
    let named = text.lines().filter_map(|line| line.trim().strip_prefix("nameserver"));
    named.filter_map(|rest| Some(SocketAddr::new(rest.trim().parse().ok()?, PORT))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_an_address_and_a_port() {
        assert_eq!(parse_servers("192.0.2.1:53, [2001:db8::1]:53").unwrap().len(), 2);
        assert!(parse_servers("dns.example.test").unwrap_err().to_string().contains("SVC_DNS_SERVERS"));
    }

    #[test]
    fn the_servers_of_the_machine_are_the_lines_that_name_one() {
        let text =
            "# a comment\nsearch example.test\nnameserver 192.0.2.1\n nameserver 2001:db8::1\nnameserver x\n";
        let servers: Vec<String> = servers_in(text).iter().map(ToString::to_string).collect();
        assert_eq!(servers, ["192.0.2.1:53", "[2001:db8::1]:53"]);
    }

    #[test]
    fn an_answer_of_pieces_is_one_text_and_a_cut_one_is_asked_for_again() {
        let mut reply = Packet::new_reply(7);
        let text = simple_dns::rdata::TXT::new().with_string("v=spf1 ").unwrap().with_string("-all").unwrap();
        let name = Name::new("example.test").unwrap();
        reply.answers.push(simple_dns::ResourceRecord::new(name, CLASS::IN, 60, RData::TXT(text)));
        let bytes = reply.build_bytes_vec().unwrap();
        assert_eq!(read_answer(7, &bytes).unwrap(), Some(vec!["v=spf1 -all".to_owned()]));
        assert!(read_answer(8, &bytes).is_err());
        reply.set_flags(PacketFlag::TRUNCATION);
        assert_eq!(read_answer(7, &reply.build_bytes_vec().unwrap()).unwrap(), None);
        *reply.rcode_mut() = RCODE::ServerFailure;
        reply.remove_flags(PacketFlag::TRUNCATION);
        assert!(read_answer(7, &reply.build_bytes_vec().unwrap()).is_err());
    }
}
