/** What life.test.ts and web.test.ts put providers through, and where one of them does otherwise, with any server. */
import type { ProviderName } from './providers.js';

export interface Situation {
  readonly name: string;
  /** Whether it concerns only providers with one context for all flags. */
  readonly isStaticOnly?: boolean;
  readonly except?: Partial<Record<ProviderName, string>>;
}

export const situations = {
  bearerToken: { name: 'the key as a bearer token' },
  wrongKey: {
    name: 'a wrong key: error, and the default',
    except: { 'JavaScript, web': 'Its error code is `PROVIDER_FATAL`; the others say `GENERAL`.' },
  },
  damagedRequest: {
    name: 'a request damaged on its way: `PARSE_ERROR`',
    except: {
      'JavaScript, web': 'It emits an error event, and keeps the flags that it has.',
      Java: 'It reports every 400 as an invalid context.',
    },
  },
  metadata: { name: 'metadata of a flag' },
  contextChange: { name: 'a change of the context' },
  edit: { name: 'an edit' },
  rateLimit: {
    name: 'a rate limit: no request until `Retry-After` is over',
    except: { Go: 'It sends requests all the same; its error says how long to wait.' },
  },
  serverBack: { name: 'a server that stops and comes back' },
  polling: { name: 'polling: 304 without a body', isStaticOnly: true },
  stream: { name: 'the stream, and what its event names', isStaticOnly: true },
  otherPlayers: { name: 'no request after edits for other players', isStaticOnly: true },
  streamFollows: { name: 'the stream follows a change of the context', isStaticOnly: true },
  revokedKey: { name: 'a revoked key ends the stream', isStaticOnly: true },
} as const satisfies Readonly<Record<string, Situation>>;
