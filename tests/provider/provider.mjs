// A certified provider of identities (oidc-provider) on a port of this machine, with keys, people and clients that a case may
// change while it runs.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

export const CLIENT = { id: "planwright", secret: "a secret of the client" };

/** A private key as a JWK with a name of its own. */
export function key(kind = "RS256", kid = Math.random().toString(36).slice(2)) {
  const pair = kind === "ES256" ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...pair.privateKey.export({ format: "jwk" }), kid, alg: kind, use: "sig" };
}

export class IdentityProvider {
  people = new Map();
  server = null;
  port = 0;

  constructor(callback) {
    this.callback = callback;
    this.keys = [key()];
    this.algorithm = "RS256";
  }

  get issuer() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it, or starts it again at the same address as it is meant to be now. */
  async start() {
    await this.stop();
    const handler = { run: null };
    this.server = createServer((request, response) => handler.run(request, response));
    await new Promise((done, failed) => this.server.once("error", failed).listen(this.port, "127.0.0.1", done));
    this.port = this.server.address().port;
    handler.run = this.make().callback();
  }

  async stop() {
    if (!this.server) return;
    const gone = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await gone;
    this.server = null;
  }

  make() {
    const people = this.people;
    return new Provider(this.issuer, {
      clients: [{
        client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [this.callback], response_types: ["code"],
        grant_types: ["authorization_code"], id_token_signed_response_alg: this.algorithm,
      }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256"] },
      features: { devInteractions: { enabled: true } },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true, name: "Ona Maria Li", ...people.get(id) }) }),
      jwks: { keys: this.keys },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    });
  }
}
