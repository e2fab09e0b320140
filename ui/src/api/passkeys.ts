// Passkeys: what the server asks goes to the authenticator of the browser, and its answer goes back as JSON.
import { api, ok } from "./client";
import { enter } from "./me";

type Credential = { [name: string]: unknown };

/** Whether this browser can make and use passkeys here, and speaks their JSON. */
export function canUsePasskeys(): boolean {
  const speaks = typeof PublicKeyCredential !== "undefined" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  return speaks && isSecureContext && hasName(location.hostname);
}

/** Passkeys belong to a name. A number of IPv4 or IPv6 is none. */
export function hasName(host: string): boolean {
  return host !== "" && !host.startsWith("[") && !/^[\d.]+$/.test(host);
}

interface Asked {
  challenge: string;
  public_key?: unknown;
}

async function signed(asked: Asked): Promise<{ challenge: string; credential: Credential }> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.public_key as PublicKeyCredentialRequestOptionsJSON);
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return { challenge: asked.challenge, credential: found.toJSON() as Credential };
}

export async function signInWithPasskey(remember: boolean): Promise<void> {
  const proof = await signed(await ok(api.POST("/api/v1/auth/passkey/options/", {})));
  await enter(ok(api.POST("/api/v1/auth/passkey/", { body: { ...proof, remember_me: remember } })));
}

/** Proves with a passkey that it is the person who acts. */
export async function confirmWithPasskey(): Promise<void> {
  const proof = await signed(await ok(api.POST("/api/v1/auth/confirm/options/", {})));
  await ok(api.POST("/api/v1/auth/confirm/", { body: proof }));
}

/** Makes a passkey; the answer has recovery codes if it is the first factor. */
export async function addPasskey(name: string): Promise<string[]> {
  const asked = await ok(api.POST("/api/v1/me/second-factor/passkeys/options/", {}));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.public_key as PublicKeyCredentialCreationOptionsJSON);
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const body = { challenge: asked.challenge, name, credential: made.toJSON() as Credential };
  const added = await ok(api.POST("/api/v1/me/second-factor/passkeys/", { body }));
  return added.recovery_codes;
}
