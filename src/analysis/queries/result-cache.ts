/**
 * Statistics of earlier requests, in a file each. They are sums over users, without any user's id. What is found is as good as computed again: from
 * the same events, or, where computing takes long, from those of a while ago.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisRequest, AnalysisStatistics } from '../messages.js';

/** Counted up when the queries find something else in the same events. */
const queriesVersion = 1;
/** Files; one has some kilobytes, or some hundred of an experiment with twenty metrics that runs for a year. */
const resultsMax = 200;
/**
 * Events come all the time. A result that took long is given again for this many times as long, so that looking
 * takes a tenth of the machine at most; one that took less than `cheapMsMax` never is.
 */
const reuseFactor = 10;
const cheapMsMax = 3_000;

interface Stored {
  readonly fingerprint: string;
  readonly tookMs: number;
  readonly statistics: AnalysisStatistics;
}

export class ResultCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param fingerprint of the events now */
  async find(request: AnalysisRequest, fingerprint: string): Promise<AnalysisStatistics | null> {
    const stored = await this.#read(request);
    if (stored === null) return null;
    const { statistics, tookMs } = stored;
    const ageMs = request.nowMs - statistics.computedAtMs;
    const isRecent = tookMs > cheapMsMax && ageMs >= 0 && ageMs < tookMs * reuseFactor;
    if (stored.fingerprint !== fingerprint && !isRecent) return null;
    return { ...statistics, cached: true };
  }

  async keep(
    request: AnalysisRequest,
    statistics: AnalysisStatistics,
    tookMs: number,
  ): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = this.#path(request);
    const stored: Stored = { fingerprint: statistics.fingerprint, tookMs, statistics };
    await writeFile(`${path}.new`, JSON.stringify(stored));
    await rename(`${path}.new`, path);
    await this.#removeOldest();
  }

  /** To be called when a user is forgotten: no later result counts the user. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #read(request: AnalysisRequest): Promise<Stored | null> {
    try {
      return JSON.parse(await readFile(this.#path(request), 'utf8')) as Stored;
    } catch {
      // Not there, or damaged: it is computed again.
      return null;
    }
  }

  #path({ nowMs: _nowMs, ...request }: AnalysisRequest): string {
    const key = createHash('sha256').update(JSON.stringify([queriesVersion, request]));
    return join(this.#folder, `${key.digest('hex')}.json`);
  }

  async #removeOldest(): Promise<void> {
    const paths = (await readdir(this.#folder)).map((name) => join(this.#folder, name));
    if (paths.length <= resultsMax) return;
    const files = await Promise.all(
      paths.map(async (path) => ({ path, writtenMs: (await stat(path)).mtimeMs })),
    );
    const oldest = files.toSorted((a, b) => a.writtenMs - b.writtenMs).slice(0, -resultsMax);
    for (const { path } of oldest) await rm(path, { force: true });
  }
}
