/** The event files of this server as its control process sees them: it seals what ended processes have left, and counts losses. */
import type { Logger } from 'pino';
import type { EventsOptions } from '../../published/barrier.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import { prepareEventsFolder, sealOrphans } from './seal-orphans.js';

const eventsLost = metric({
  name: 'loadout_events_lost_total',
  help: 'Events that were taken and could not be written before their delivery process ended.',
  onlyIf: 'the server takes events',
});

export const eventFileMetrics: readonly Metric[] = [eventsLost];

export class EventFiles {
  /** What delivery processes are started with. */
  readonly options: EventsOptions;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  #lost = 0;

  /** Makes the folder ready. No delivery process runs yet. */
  constructor(options: EventsOptions, log: Pick<Logger, 'error' | 'warn'>) {
    this.options = options;
    this.#log = log;
    prepareEventsFolder(options.folder);
  }

  /** A delivery process could not write so many events that it had taken. */
  lost(count: number): void {
    this.#lost += count;
    this.#log.warn({ event: 'events_lost', count }, 'events that were taken could not be written');
  }

  /** A delivery process is gone, however it ended. */
  ended(pid: number): void {
    try {
      sealOrphans(this.options.folder, (owner) => owner === pid);
    } catch (error) {
      this.#log.error(
        { event: 'event_files_unsealed', err: error },
        'event files of an ended process stay where they are until the next start',
      );
    }
  }

  gauges(): Gauge[] {
    return [sample(eventsLost, this.#lost)];
  }
}
