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
import threading

SECRET = os.environ["WEBHOOK_SECRET"].encode()

handled = set()
last_sequence = 0
one_at_a_time = threading.Lock()


def is_genuine(body, signature):
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


def take(event, delivery, sequence, payload):
    """Handles a delivery once. It counts as handled only afterwards: if `handle` fails, the answer is 500 and it comes again."""
    with one_at_a_time:
        if delivery not in handled:
            handle(event, sequence, payload)
            handled.add(delivery)


def handle(event, sequence, payload):
    """What the receiver is for. Put slow work into a queue, so that the answer does not wait for it."""
    global last_sequence
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
        try:
            take(self.headers["X-SVC-Event"], delivery, sequence, json.loads(body))
        except Exception as error:
            print(f"{delivery} was not handled: {error}", file=sys.stderr, flush=True)
            return self.answer(500)
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
