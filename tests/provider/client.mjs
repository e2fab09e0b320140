// A client without a window: it keeps cookies for each origin, follows nothing by itself, and fills in the forms of the provider.

export class Client {
  jar = new Map();

  /** One request; the cookies of its origin go along and come back. */
  async send(url, { method = "GET", form, json, token } = {}) {
    const origin = new URL(url).origin;
    const kept = this.jar.get(origin) ?? new Map();
    this.jar.set(origin, kept);
    const headers = {};
    if (kept.size) headers.cookie = [...kept].map(([name, value]) => `${name}=${value}`).join("; ");
    if (token) headers.authorization = `Bearer ${token}`;
    if (json) headers["content-type"] = "application/json";
    const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form) : undefined;
    const answer = await fetch(url, { method, headers, body, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [pair, ...rest] = line.split(";");
      const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      const over = rest.some((part) => /^\s*max-age=0$/i.test(part) || /^\s*expires=thu, 01 jan 1970/i.test(part));
      if (over || value === "") kept.delete(name);
      else kept.set(name, value);
    }
    const text = await answer.text();
    const parsed = (answer.headers.get("content-type") ?? "").includes("json") && text ? JSON.parse(text) : null;
    return { status: answer.status, location: answer.headers.get("location") ?? "", headers: answer.headers, text, json: parsed };
  }

  /** Signs in at the provider and agrees, or breaks off. The answer is where the browser is sent back to. */
  async agree(url, callback, person, { breakOff = false } = {}) {
    let next = url;
    for (let step = 0; step < 12; step++) {
      const answer = await this.send(next);
      let found = answer.location;
      if (answer.status === 200) {
        const page = next;
        const action = /<form[^>]* action="([^"]+)"/.exec(answer.text)?.[1] ?? page;
        const form = answer.text.includes('value="login"') ? { prompt: "login", login: person, password: "any" } : { prompt: "consent" };
        const sent = breakOff ? await this.send(`${page}/abort`) : await this.send(new URL(action, page).href, { method: "POST", form });
        found = sent.location;
      }
      if (!found) throw new Error(`the provider answered ${answer.status}: ${answer.text.slice(0, 300)}`);
      next = new URL(found, next).href;
      if (next.startsWith(callback)) return next;
    }
    throw new Error("the provider leads in circles");
  }
}
