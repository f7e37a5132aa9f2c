/** Sets a scenario up in a folder of its own: published.db, the plain contents, a certificate; and takes it down. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, NativeChoice } from '../../bench.js';
import type { Build } from '../../build.js';
import { PublishedGame, writePlainGame } from '../../data/published-game.js';
import { serverCore } from '../../measure/child.js';
import type { Certificate, ContenderKind, ServerInput } from '../contenders/contender.js';
import type { Header } from './ask-once.js';
import { rehearse } from './rehearsal.js';
import type { ExpectedRequest, PreparedScenario, Scenario } from './scenario.js';

/** A contender whose responses were compared with the expected ones: ready to be measured. */
export interface Entrant {
  readonly name: string;
  readonly kind: ContenderKind;
  readonly input: ServerInput;
  readonly game: PublishedGame;
}

export class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  readonly #scenario: Scenario;
  readonly #prepared: PreparedScenario;
  readonly #certificate: Certificate | null;
  readonly #games: PublishedGame[] = [];
  /** What the first entrant sent along with its responses; `floor` repeats it. */
  #headers: readonly Header[] = [];
  #entrants = 0;

  readonly #native: NativeChoice;

  constructor(scenario: Scenario, bench: Bench) {
    this.#native = bench.native;
    this.#scenario = scenario;
    this.#prepared = scenario.prepare(bench);
    this.#certificate = scenario.secure ? makeCertificate(this.#folder) : null;
    process.on('exit', this.#remove);
  }

  get prepared(): PreparedScenario {
    return this.#prepared;
  }

  /** Loadout itself comes before `floor`, which sends Loadout's responses. */
  async enter(name: string, kind: ContenderKind, build: Build): Promise<Entrant> {
    this.#entrants += 1;
    const at = (file: string): string => join(this.#folder, `${this.#entrants}-${file}`);
    const publishedPath = at('published.db');
    const game = await PublishedGame.create(build, publishedPath);
    this.#games.push(game);
    if (readsPublished(kind)) game.put(this.#prepared.contents);
    const plainGamePath = at('contents.json');
    if (kind === 'ordinary') writePlainGame(plainGamePath, this.#prepared.contents);

    const input: ServerInput = {
      build,
      publishedPath,
      plainGamePath,
      tablePath: kind === 'floor' ? join(this.#folder, '1-responses') : at('responses'),
      responseHeaders: this.#headers,
      certificate: this.#certificate,
      core: serverCore(),
      poolAside: false,
      native: this.#native,
      port: 0,
    };
    const { requests } = this.#prepared;
    const tablePath = kind === 'floor' ? null : input.tablePath;
    const headers = await rehearse(this.#scenario, requests, kind, input, tablePath);
    if (this.#headers.length === 0) this.#headers = headers;
    return { name, kind, input, game };
  }

  /** A second response table for an entrant, for loads of two kinds at once. Returns its path. */
  async rehearseMore(entrant: Entrant, requests: readonly ExpectedRequest[]): Promise<string> {
    const tablePath = join(this.#folder, `${entrant.name}-more`);
    await rehearse(this.#scenario, requests, entrant.kind, entrant.input, tablePath);
    return tablePath;
  }

  close(): void {
    for (const game of this.#games) game.close();
    process.off('exit', this.#remove);
    this.#remove();
  }

  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });
}

function readsPublished(kind: ContenderKind): boolean {
  return kind !== 'floor' && kind !== 'ordinary';
}

/** Self-signed, on the curve that most certificates of today use. */
export function makeCertificate(folder: string): Certificate {
  const certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const rest = ['-days', '2', '-subj', '/CN=localhost', '-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', ...kind, ...rest], { stdio: 'pipe' });
  return { certPath, keyPath };
}
