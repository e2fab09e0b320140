// A receiver of planwright webhooks, with nothing but what Node.js brings.
//
//     WEBHOOK_SECRET=... node receiver.js 9000
//
// It checks the signature over the bytes as they came, answers at once, and knows deliveries that come twice.

const crypto = require("node:crypto");
const http = require("node:http");

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error("WEBHOOK_SECRET is not set");

const seen = new Set();
let lastSequence = 0;

function isGenuine(body, signature) {
  const expected = Buffer.from("sha256=" + crypto.createHmac("sha256", secret).update(body).digest("hex"));
  const shown = Buffer.from(signature);
  return expected.length === shown.length && crypto.timingSafeEqual(expected, shown);
}

// What the receiver is for; anything slow belongs into a queue, so that the answer does not wait for it.
function handle(event, delivery, sequence, payload) {
  if (seen.has(delivery)) return;
  seen.add(delivery);
  if (sequence > lastSequence + 1) {
    console.log(`numbers ${lastSequence + 1} to ${sequence - 1} have not come yet`);
  }
  lastSequence = Math.max(lastSequence, sequence);
  console.log(sequence, event, JSON.stringify(payload));
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    const headers = request.headers;
    if (!isGenuine(body, headers["x-svc-signature"] ?? "")) {
      response.writeHead(401).end();
      return;
    }
    const sequence = Number(headers["x-svc-webhook-sequence"]);
    handle(headers["x-svc-event"], headers["x-svc-delivery"], sequence, JSON.parse(body));
    response.writeHead(204).end();
  });
});

server.listen(Number(process.argv[2] ?? 9000), "127.0.0.1", () => {
  console.log(`listening on ${server.address().port}`);
});
