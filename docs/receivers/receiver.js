// A receiver of planwright webhooks, with nothing but what Node.js brings.
//
//     WEBHOOK_SECRET=... node receiver.js 9000
//
// It checks the signature over the bytes as they came, answers at once, and knows deliveries that come twice.

const crypto = require("node:crypto");
const http = require("node:http");

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error("WEBHOOK_SECRET is not set");

const handled = new Set();
let lastSequence = 0;

function isGenuine(body, signature) {
  const expected = Buffer.from("sha256=" + crypto.createHmac("sha256", secret).update(body).digest("hex"));
  const shown = Buffer.from(signature);
  return expected.length === shown.length && crypto.timingSafeEqual(expected, shown);
}

// Handles a delivery once. It counts as handled only afterwards: if `handle` fails, the answer is 500 and it comes again.
function take(event, delivery, sequence, payload) {
  if (handled.has(delivery)) return;
  handle(event, sequence, payload);
  handled.add(delivery);
}

// What the receiver is for. Put slow work into a queue, so that the answer does not wait for it.
function handle(event, sequence, payload) {
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
    try {
      take(headers["x-svc-event"], headers["x-svc-delivery"], sequence, JSON.parse(body));
      response.writeHead(204).end();
    } catch (error) {
      console.error(`${headers["x-svc-delivery"]} was not handled: ${error.message}`);
      response.writeHead(500).end();
    }
  });
});

server.listen(Number(process.argv[2] ?? 9000), "127.0.0.1", () => {
  console.log(`listening on ${server.address().port}`);
});
