// A small server for stories and measurements: the built files with the policy of the real server, and a way to its API.
// Usage: node tools/serve.mjs PORT TARGET
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function serve(port, target) {
  const to = new URL(target);
  const pass = (req, res) => {
    const onward = request(
      {
        host: to.hostname,
        port: to.port,
        path: req.url,
        method: req.method,
        headers: { ...req.headers, host: to.host, origin: to.origin },
      },
      (answer) => {
        res.writeHead(answer.statusCode, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on("error", () => res.writeHead(502).end());
    req.pipe(onward);
  };
  const server = createServer((req, res) => {
    const path = new URL(req.url, "http://x").pathname;
    if (/^\/(api|calendar|invite|reset-password)\//.test(path)) return pass(req, res);
    let file = join(root, normalize(path));
    if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) file = join(root, "index.html");
    const immutable = path.startsWith("/assets/");
    res.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
      "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
    });
    return createReadStream(file).pipe(res);
  });
  server.on("upgrade", (req, socket, head) => {
    const onward = connect(Number(to.port), to.hostname, () => {
      const headers = { ...req.headers, host: to.host, origin: to.origin };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      onward.write(`GET ${req.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port = "5180", target = "http://127.0.0.1:8080"] = process.argv.slice(2);
  await serve(Number(port), target);
  console.log(`http://127.0.0.1:${port}/ with the API of ${target}`);
}
