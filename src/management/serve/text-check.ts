/**
 * Compares every text of the store with the digest that it is kept under, in the background: a disk that loses bits is
 * noticed while there are backups of before, also in texts that no request reads.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  textCheckBytesPerStep,
  textCheckEveryMs,
  textCheckFirstMs,
  textCheckNamesMax,
  textCheckPauseMs,
  textCheckRowsPerStep,
} from '../limits/housekeeping.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import {
  findTextUsers,
  listTextSizes,
  readTextPart,
  type TextSize,
} from '../store/contents/texts.js';
import type { Store } from '../store/store.js';
import { StoreDamaged } from '../store/store-errors.js';

/** A text that is not what was saved. */
interface DamagedText {
  readonly digest: string;
  /** Contents that have it in a revision, as `environment/id`; not all of many. */
  readonly contents: readonly string[];
}

interface TextCheckResult {
  readonly texts: number;
  readonly bytes: number;
  readonly damaged: readonly DamagedText[];
}

interface TextCheckParts {
  readonly store: Store;
  readonly log: Pick<Logger, 'error' | 'warn' | 'debug'>;
  /** How long it leaves the store and the processor to others after each step, milliseconds. */
  readonly pauseMs?: number;
}

const damagedTexts = metric({
  name: 'loadout_store_texts_damaged',
  help: 'Texts of the store that are not what was saved, as this server found them; the log names them.',
});
const checkedTexts = metric({
  name: 'loadout_store_texts_checked',
  help: 'Texts of the store that this server has compared with their digests since it started.',
});

export const textCheckMetrics: readonly Metric[] = [damagedTexts, checkedTexts];

export class TextCheck {
  readonly #parts: TextCheckParts;
  /** One pass a day. A pass that is cut off by a stop begins again. */
  readonly job: PeriodicJob;
  /** Of the pass under way and the last whole one. */
  #damaged = new Set<string>();
  #checked = 0;

  constructor(parts: TextCheckParts) {
    this.#parts = parts;
    this.job = new PeriodicJob((signal) => this.#runAndLog(signal), {
      firstMs: textCheckFirstMs,
      everyMs: textCheckEveryMs,
      log: parts.log,
      event: 'text_check_failed',
      failed: 'the texts of the store could not be checked; it is tried again later',
    });
  }

  get gauges(): Gauge[] {
    return [sample(damagedTexts, this.#damaged.size), sample(checkedTexts, this.#checked)];
  }

  /**
   * One pass over all texts, a little at a time.
   * @throws StoreUnavailable, StoreDamaged where the database itself finds its damage
   */
  async run(until?: AbortSignal): Promise<TextCheckResult> {
    const damaged: DamagedText[] = [];
    let texts = 0;
    let bytes = 0;
    let waiting = 0;
    const { store, pauseMs = textCheckPauseMs } = this.#parts;
    const rest = async (done: number): Promise<void> => {
      bytes += done;
      waiting += done;
      if (waiting < textCheckBytesPerStep) return;
      waiting = 0;
      await pause(pauseMs);
    };
    const isOver = (): boolean => until?.aborted === true;
    for (let after: string | null = ''; after !== null && !isOver(); ) {
      const from: string = after;
      const page = await store.read((db) => listTextSizes(db, from, textCheckRowsPerStep));
      for (const text of page) {
        if (isOver()) break;
        const isSound = await this.#isSound(text, rest);
        texts += 1;
        this.#checked += 1;
        if (!isSound) damaged.push(await this.#report(text));
      }
      after = page.length < textCheckRowsPerStep ? null : (page.at(-1)?.digest ?? null);
      await pause(pauseMs);
    }
    if (!isOver()) this.#damaged = new Set(damaged.map(({ digest }) => digest));
    return { texts, bytes, damaged };
  }

  /** A long text is read in parts: no turn of the event loop hashes more than one. */
  async #isSound(
    { digest, bytes }: TextSize,
    rest: (done: number) => Promise<void>,
  ): Promise<boolean> {
    const hash = createHash('sha256');
    for (let from = 0; from < bytes; from += textCheckBytesPerStep) {
      const part = await this.#parts.store.read((db) =>
        readTextPart(db, digest, from, textCheckBytesPerStep),
      );
      // Retention removed it meanwhile.
      if (part === null) return true;
      hash.update(part);
      await rest(part.byteLength);
    }
    return hash.digest('hex') === digest;
  }

  async #report({ digest }: TextSize): Promise<DamagedText> {
    const { store, log } = this.#parts;
    const contents = await store.read((db) => findTextUsers(db, digest, textCheckNamesMax));
    this.#damaged.add(digest);
    const damage = store.damaged(`text ${digest} is not what was saved`);
    log.error({ digest, contents, event: 'store_text_damaged' }, damage.message);
    return { digest, contents };
  }

  async #runAndLog(signal?: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    try {
      const { texts, bytes, damaged } = await this.run(signal);
      log.debug(
        { event: 'texts_checked', texts, bytes, damaged: damaged.length },
        'the texts of the store were checked',
      );
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      log.error({ event: 'store_damaged' }, error.message);
    }
  }
}
