// The person who is signed in, read once after each sign-in.
import { signal } from "@preact/signals";
import { api, ok, type Schemas } from "./client";
import { claimTexts } from "./kept";
import { forgetToken, holdToken, letIn, renew, sessionState } from "./session";

/** Rises when another person signs in: nothing of the page of the one before may stay. */
export const house = signal(0);
export const me = signal<Schemas["Me"] | null>(null);

async function readMe(): Promise<void> {
  const now = await ok(api.GET("/api/v1/auth/me/", {}));
  claimTexts(now.id);
  me.value = now;
}

/** At the start of the page: is there a session? */
export async function resume(): Promise<void> {
  try {
    if (await renew()) await readMe();
    else sessionState.value = "out";
  } catch {
    if (sessionState.value === "unknown") sessionState.value = "out";
  }
}

export async function signIn(username: string, password: string, remember: boolean): Promise<void> {
  await enter(ok(api.POST("/api/v1/auth/token/", { body: { username, password, remember_me: remember } })));
}

/** Takes the access token of a sign-in that was answered. */
export async function enter(answer: Promise<{ access: string }>): Promise<void> {
  const { access } = await answer;
  const before = me.peek()?.id;
  holdToken(access);
  try {
    await readMe();
  } finally {
    if (me.peek()?.id !== before) house.value++;
    letIn();
  }
}

export async function signOut(): Promise<void> {
  try {
    await api.POST("/api/v1/auth/logout/", {});
  } finally {
    me.value = null;
    forgetToken(true);
  }
}
