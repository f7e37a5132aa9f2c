/** A browser of sorts: cookies by name, as all ports of a host share them, and the provider's forms filled in. */
import { randomInt } from 'node:crypto';
import { type Answer, type Request, send } from '../wire/exchange.js';

const stepsMax = 15;

export class CookieJar {
  readonly cookies = new Map<string, string>();
  /** What a trusted proxy says it is: rates are for each address. */
  readonly address = `198.18.${randomInt(256)}.${randomInt(256)}`;

  async send(url: string, request: Request = {}): Promise<Answer> {
    const { origin } = new URL(url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const forwarded = { 'x-forwarded-for': this.address };
    const headers = { ...forwarded, ...(cookie === '' ? {} : { cookie }), ...request.headers };
    const answer = await send(origin, url.slice(origin.length), { ...request, headers });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '') this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), value);
    }
    return answer;
  }

  /** Begins at the console. @returns where the provider is asked to sign in */
  async begin(consoleUrl: string, returnPath = '/'): Promise<string> {
    const path = `/auth/oidc/start?return=${encodeURIComponent(returnPath)}`;
    return locationOf(await this.send(`${consoleUrl}${path}`), consoleUrl);
  }

  /** Signs in at the provider and consents. @returns the address of the callback, which is not followed */
  async signInAtProvider(authorizeUrl: string, person: string): Promise<string> {
    const { origin } = new URL(authorizeUrl);
    let answer = await this.send(authorizeUrl);
    let at = authorizeUrl;
    for (let step = 0; step < stepsMax; step++) {
      if (answer.status >= 300 && answer.status < 400) {
        at = locationOf(answer, at);
        if (!at.startsWith(origin)) return at;
        answer = await this.send(at);
        continue;
      }
      const action = /<form[^>]* action="([^"]+)"/.exec(answer.text)?.[1];
      if (action === undefined) throw new Error(`no form: ${answer.status} ${answer.text}`);
      const isLogin = answer.text.includes('name="login"');
      const fields = isLogin
        ? { prompt: 'login', login: person, password: 'any' }
        : { prompt: 'consent' };
      at = new URL(action, at).href;
      answer = await this.send(at, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    }
    throw new Error('the provider does not come to an end');
  }

  /** From the console to the provider and back; the callback is not followed. */
  async comeBack(consoleUrl: string, person: string, returnPath = '/'): Promise<string> {
    return this.signInAtProvider(await this.begin(consoleUrl, returnPath), person);
  }
}

export function locationOf(answer: Answer, base: string): string {
  const location = answer.header('location');
  if (location === '') throw new Error(`no redirect: ${answer.status} ${answer.text}`);
  return new URL(location, base).href;
}
