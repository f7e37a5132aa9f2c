/**
 * A real OpenID provider (`oidc-provider`, certified) on loopback, behind a proxy that a test may turn hostile: the test owns the
 * provider's keys, so it can sign what the provider never would.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export const clientId = 'loadout-console';
export const clientSecret = 'a-secret-of-the-client-0123456789';

/** What the proxy sends in the place of the provider's response to a path. */
export type Tamper = (
  response: { readonly status: number; readonly text: string },
  reply: ServerResponse,
) => Promise<string | null> | string | null;

export interface ProviderOptions {
  /** Host in the issuer: `localhost` is another site than a console on 127.0.0.1. */
  readonly host?: 'localhost' | '127.0.0.1';
  /** Origin of the console. */
  readonly consoleUrl: string;
  /** Further origins of consoles. */
  readonly moreConsoleUrls?: readonly string[];
  /** Puts groups into userinfo only, as some providers do. */
  readonly groupsInUserinfo?: boolean;
  /** Keeps the port of a provider that has ended. */
  readonly port?: number;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export async function makeSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const common = { kid, alg: 'RS256', use: 'sig' };
  const publicJwk = { ...(await exportJWK(publicKey)), ...common };
  const privateJwk = { ...(await exportJWK(privateKey)), ...common };
  return { kid, privateKey, publicJwk, privateJwk };
}

export class TestedProvider {
  readonly issuer: string;
  readonly key: SigningKey;
  /** Groups by the name that a person signs in with. */
  readonly groups = new Map<string, unknown>();
  /** By the path of the provider: `/token`, `/jwks`, … */
  readonly tampers = new Map<string, Tamper>();
  /** Paths that were asked for, in order. */
  readonly asked: string[] = [];
  readonly #front: Server;
  readonly #back: Server;

  static async start(options: ProviderOptions): Promise<TestedProvider> {
    const { host = '127.0.0.1', consoleUrl, moreConsoleUrls = [], port = 0 } = options;
    const consoles = [consoleUrl, ...moreConsoleUrls];
    const front = await listen(createServer(), port);
    const issuer = `http://${host}:${portOf(front)}`;
    const key = await makeSigningKey('first');
    const back = await listen(createServer(), 0);
    const provider = new TestedProvider(issuer, key, front, back);
    // From the packages of the tests.
    const path = createRequire(import.meta.url).resolve('oidc-provider');
    const { default: Provider } = await import(pathToFileURL(path).href);
    const oidc = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: consoles.map((url) => `${url}/auth/oidc/callback`),
          post_logout_redirect_uris: consoles.map((url) => `${url}/`),
        },
      ],
      cookies: { keys: ['a-key-of-the-cookies-of-this-test'] },
      jwks: { keys: [key.privateJwk] },
      claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
      conformIdTokenClaims: options.groupsInUserinfo === true,
      pkce: { required: () => true },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, name: sub, groups: provider.groups.get(sub) }),
      }),
    });
    // Its warnings are about the screens of development, which the tests are here to use.
    oidc.on('server_error', (_context: unknown, error: unknown) => console.error(error));
    back.on('request', oidc.callback());
    return provider;
  }

  private constructor(issuer: string, key: SigningKey, front: Server, back: Server) {
    this.issuer = issuer;
    this.key = key;
    this.#front = front;
    this.#back = back;
    front.on('request', (request, reply) => void this.#pass(request, reply));
  }

  /** Flags of a server that signs in through it. */
  flags(consoleUrl: string, roles: string): string[] {
    return [
      ...['--oidc-issuer', this.issuer, '--oidc-client-id', clientId],
      ...['--oidc-public-url', consoleUrl, '--oidc-roles', roles],
      ...['--oidc-scopes', 'groups', '--oidc-label', 'Studio SSO'],
      ...['--admin-trust-proxy', '127.0.0.1'],
    ];
  }

  /** Signs claims with its real key, or another one. */
  sign(claims: JWTPayload, key: SigningKey = this.key): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(key.privateKey);
  }

  /** Puts another id token into the provider's next responses: the claims of the real one, changed. */
  swapIdToken(change: (claims: JWTPayload) => JWTPayload | Promise<string>): void {
    this.tampers.set('/token', async ({ text }) => {
      const response = JSON.parse(text);
      const [, payload = ''] = String(response.id_token).split('.');
      const changed = change(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      const id_token = changed instanceof Promise ? await changed : await this.sign(changed);
      return JSON.stringify({ ...response, id_token });
    });
  }

  async stop(): Promise<void> {
    for (const server of [this.#front, this.#back]) {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    }
  }

  async #pass(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece as Buffer);
    const { pathname } = new URL(request.url ?? '/', this.issuer);
    this.asked.push(pathname);
    const { request: ask } = await import('node:http');
    const outgoing = ask({
      ...{ host: '127.0.0.1', port: portOf(this.#back), path: request.url },
      ...{ method: request.method, headers: request.headers },
    });
    outgoing.end(Buffer.concat(body));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const status = incoming.statusCode ?? 0;
    const tamper = this.tampers.get(pathname);
    if (tamper === undefined) {
      reply.writeHead(status, incoming.headers).end(bytes);
      return;
    }
    const text = await tamper({ status, text: bytes.toString() }, reply);
    // Null: it has sent what it wants.
    if (text === null) return;
    const { 'content-length': _length, ...headers } = incoming.headers;
    reply.writeHead(status, headers).end(text);
  }
}

async function listen(server: Server, port: number): Promise<Server> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
