/** A server for streams, with a game on it: `loadout serve` as an operator starts it, all of it on the servers' core. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Build } from '../build.js';
import { gameContent } from '../data/game-content.js';
import { threeRules } from '../data/mappings.js';
import { apiKey } from '../data/published-game.js';
import { makeCertificate } from '../http/race/stage.js';
import { serverCore } from '../measure/child.js';
import { Serve } from '../serve.js';

/** Content items that every player's game has, each with three rules. */
const contentCount = 30;
const contentBytes = 512;
/** What the edits of the streams' questions are about. */
export const offers = 'offers';

export interface StageOptions {
  readonly processes: number;
  readonly secure: boolean;
  /** Content items of the game beside `offers`. */
  readonly contents?: number;
}

export class StreamStage {
  readonly serve: Serve;
  readonly port: number;
  /** For files of the measurement; removed at the end. */
  readonly folder: string;

  static async start(
    build: Build,
    { processes, secure, contents = contentCount }: StageOptions,
  ): Promise<StreamStage> {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
    const certificate = secure ? makeCertificate(folder) : null;
    const flags = [
      ...['--listeners', String(processes), '--workers', '1', '--host', '127.0.0.1'],
      // All players come from one machine, and nobody is to wait.
      ...['--streams-per-address', '10000000', '--stream-wakes-per-second', '0'],
      ...(certificate === null
        ? []
        : ['--tls-cert', certificate.certPath, '--tls-key', certificate.keyPath]),
    ];
    const serve = await Serve.start(build, join(folder, 'data'), flags, serverCore());
    const stage = new StreamStage(serve, folder);
    await stage.#ask('POST', '/admin/v1/environments', { id: 'game' });
    await stage.#ask('POST', `${environment}/keys`, { key: apiKey });
    for (let number = 0; number < contents; number += 1) {
      const text = JSON.stringify(gameContent(number, contentBytes));
      await stage.put(`game-${number}`, { text, mapping: threeRules });
    }
    await stage.put(offers, { text: '{"n":0}' });
    return stage;
  }

  private constructor(serve: Serve, folder: string) {
    this.serve = serve;
    this.port = Number(new URL(serve.deliveryUrl).port);
    this.folder = folder;
  }

  /** Publishes a content item. @returns the sequence, which is served everywhere */
  async put(
    id: string,
    content: { readonly text?: string; readonly mapping?: readonly unknown[] },
  ): Promise<number> {
    return this.#ask('PUT', `${environment}/contents/${id}`, content);
  }

  async putSegment(name: string, when: unknown): Promise<number> {
    return this.#ask('PUT', `${environment}/segments/${name}`, { when });
  }

  /** Of the delivery processes that run now. */
  deliveryPids(): readonly number[] {
    const { pid } = this.serve;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children.map(Number).filter((child) => {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('delivery-process');
    });
  }

  async end(): Promise<void> {
    await this.serve.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ask(method: string, path: string, body: unknown): Promise<number> {
    const answer = await this.serve.ask(method, path, JSON.stringify(body));
    return (JSON.parse(answer) as { readonly sequence: number }).sequence;
  }
}

const environment = '/admin/v1/environments/game';
