/** A real Prometheus with the rules: what it scrapes may change, and what fires is asked of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { makeDataFolder } from '../support/server/server.js';
import { send } from '../support/wire/exchange.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';
import { scaledRules } from './scaled-rules.js';

const startMsMax = 60_000;

/** The path of a program; null: it is not installed. */
export function programOf(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

export const hasPrometheus =
  (programOf('prometheus') !== null && programOf('promtool') !== null) ||
  process.env['CI'] !== undefined;

/** A series as the query API gives it, at one instant. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export class Prometheus {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  /** Address of the metrics by the name of the server. */
  readonly #targets = new Map<string, string>();

  /** Scrapes every two seconds: a server that waits for its store responds to a scrape after one. */
  static async start(): Promise<Prometheus> {
    const folder = makeDataFolder();
    writeFileSync(join(folder, 'rules.yml'), scaledRules());
    writeFileSync(join(folder, 'targets.json'), '[]');
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
rule_files: [rules.yml]
scrape_configs:
  - {job_name: loadout, file_sd_configs: [{files: [targets.json], refresh_interval: 1s}]}
`,
    );
    const port = await freeLoopbackPort();
    const child = spawn(
      programOf('prometheus') ?? 'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr = `${stderr}${piece}`.slice(-5_000);
    });
    const url = `http://127.0.0.1:${port}`;
    await eventually('Prometheus is ready', startMsMax, async () => {
      if (child.exitCode !== null) throw new Error(stderr);
      return (await send(url, '/-/ready').catch(() => null))?.status === 200;
    });
    return new Prometheus(url, folder, child);
  }

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** The server of that name is found there from now on; null: nowhere, it is no target any more. */
  target(name: string, adminUrl: string | null): void {
    if (adminUrl === null) this.#targets.delete(name);
    else this.#targets.set(name, new URL(adminUrl).host);
    const groups = [...this.#targets].map(([instance, address]) => ({
      targets: [address],
      labels: { instance },
    }));
    const file = join(this.#folder, 'targets.json');
    writeFileSync(`${file}.new`, JSON.stringify(groups));
    renameSync(`${file}.new`, file);
  }

  /** What a query gives now; throws with what Prometheus says of it. */
  async query(expression: string): Promise<readonly Series[]> {
    const answer = await send(this.url, `/api/v1/query?query=${encodeURIComponent(expression)}`);
    if (answer.status !== 200) throw new Error(`${expression}: ${answer.text}`);
    return answer.json.data.result;
  }

  /** Names of the alerts that fire, each once. */
  async firing(): Promise<string[]> {
    return names(await this.query('ALERTS{alertstate="firing"}'));
  }

  /** What the alerts say that fire or are about to: summaries and descriptions, filled in. */
  async texts(): Promise<string[]> {
    const { json } = await send(this.url, '/api/v1/alerts');
    return json.data.alerts.flatMap(({ annotations }: { annotations: Record<string, string> }) =>
      Object.values(annotations),
    );
  }

  /** Names of the alerts that fired at some moment of the last seconds. */
  async firedWithin(seconds: number): Promise<string[]> {
    return names(
      await this.query(`max_over_time(ALERTS{alertstate="firing"}[${Math.floor(seconds)}s])`),
    );
  }

  /** Resolves when each target was scraped. */
  async scraped(): Promise<void> {
    await eventually('every server is scraped', startMsMax, async () => {
      const up = await this.query('up{job="loadout"} == 1');
      return up.length === this.#targets.size;
    });
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
  }
}

function names(series: readonly Series[]): string[] {
  return [...new Set(series.map(({ metric }) => metric['alertname'] ?? ''))].sort();
}
