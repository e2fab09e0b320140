"""A receiver of planwright webhooks, with nothing but the standard library.

    WEBHOOK_SECRET=... python3 receiver.py 9000

It checks the signature over the bytes as they came, answers at once, and knows deliveries that come twice.
"""

import hashlib
import hmac
import http.server
import json
import os
import sys

SECRET = os.environ["WEBHOOK_SECRET"].encode()

seen = set()
last_sequence = 0


def is_genuine(body, signature):
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


def handle(event, delivery, sequence, payload):
    """What the receiver is for; anything slow belongs into a queue, so that the answer does not wait for it."""
    global last_sequence
    if delivery in seen:
        return
    seen.add(delivery)
    if sequence > last_sequence + 1:
        print(f"numbers {last_sequence + 1} to {sequence - 1} have not come yet", flush=True)
    last_sequence = max(last_sequence, sequence)
    print(sequence, event, json.dumps(payload), flush=True)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(body, self.headers.get("X-SVC-Signature", "")):
            return self.answer(401)
        delivery = self.headers["X-SVC-Delivery"]
        sequence = int(self.headers["X-SVC-Webhook-Sequence"])
        handle(self.headers["X-SVC-Event"], delivery, sequence, json.loads(body))
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
