/** The environment of one scenario on the server under test, which the scenario edits as an editor would. */
import { randomBytes } from 'node:crypto';
import { AdminClient } from '../../src/command/client/admin-client.js';
import type { Contents } from './step.js';

/** Where the server under test is. */
export interface ServerUnderTest {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  readonly ownerToken: string;
}

export class GameEnvironment {
  readonly id: string;
  readonly key: string;
  readonly #keyId: string;
  readonly #client: AdminClient;

  /** A new one with one key. */
  static async make({ adminUrl, ownerToken }: ServerUnderTest): Promise<GameEnvironment> {
    const client = new AdminClient(adminUrl, ownerToken);
    const id = `game-${randomBytes(6).toString('hex')}`;
    await client.request('POST /environments', { body: { id } });
    const { value } = await client.request('POST /environments/:env/keys', {
      params: { env: id },
      body: { label: 'kit' },
    });
    return new GameEnvironment(client, id, value);
  }

  private constructor(client: AdminClient, id: string, key: { id: string; key: string }) {
    this.#client = client;
    this.id = id;
    this.key = key.key;
    this.#keyId = key.id;
  }

  /** @returns the sequence of the last one; 0 if there are none */
  async edit(contents: Contents): Promise<number> {
    let last = 0;
    for (const [id, { text, pad, mapping, lines }] of Object.entries(contents)) {
      const { value } = await this.#client.request('PUT /environments/:env/contents/:id', {
        params: { env: this.id, id },
        body: {
          ...(text === undefined
            ? {}
            : { text: textOf(pad === undefined ? text : padded(text, pad)) }),
          ...(mapping === undefined ? {} : { mapping }),
          ...(lines === undefined
            ? {}
            : { lines: lines.map((line) => ({ ...line, text: textOf(line.text) })) }),
        },
      });
      last = sequenceOf(value);
    }
    return last;
  }

  async remove(id: string): Promise<number> {
    const { value } = await this.#client.request('DELETE /environments/:env/contents/:id', {
      params: { env: this.id, id },
    });
    return sequenceOf(value);
  }

  async rollBack(id: string, revision: number): Promise<number> {
    const { value } = await this.#client.request('POST /environments/:env/contents/:id/rollback', {
      params: { env: this.id, id },
      body: { revision },
    });
    return sequenceOf(value);
  }

  async putSegment(name: string, when: unknown): Promise<number> {
    const { value } = await this.#client.request('PUT /environments/:env/segments/:name', {
      params: { env: this.id, name },
      body: { when: when as Record<string, unknown> },
    });
    return sequenceOf(value);
  }

  /** @returns what `loadout export --baseline` writes for a build of that app version */
  async baseline(appVersion: string | undefined): Promise<string> {
    const { text } = await this.#client.request('GET /environments/:env/baseline', {
      params: { env: this.id },
      query: { appVersion },
    });
    return text;
  }

  /** The environment takes events from now on. */
  async putMetric(event: string): Promise<void> {
    await this.#client.request('PUT /environments/:env/metrics/:name', {
      params: { env: this.id, name: event },
      body: { kind: 'count', event },
    });
  }

  async revokeKey(): Promise<void> {
    await this.#client.request('DELETE /environments/:env/keys/:keyId', {
      params: { env: this.id, keyId: this.#keyId },
    });
  }
}

/** A text is JSON as it is; anything else becomes its JSON. */
function textOf(text: unknown): string {
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function padded(text: unknown, pad: number): unknown {
  return { ...(text as Readonly<Record<string, unknown>>), pad: 'x'.repeat(pad) };
}

function sequenceOf(response: object): number {
  const { sequence } = response as { sequence?: number };
  if (sequence === undefined) throw new Error(`no sequence in ${JSON.stringify(response)}`);
  return sequence;
}
