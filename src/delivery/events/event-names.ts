/** Bounds how many distinct names of metric events a process takes for each environment in a day (UTC). */
import type { EnvironmentSettings } from '../../published/environment-settings.js';
import { eventNamesMax } from '../limits.js';

/** The environment that events are of. */
interface Reported {
  readonly id: string;
  readonly settings: Pick<EnvironmentSettings, 'metricEvents'>;
}

const dayMs = 24 * 3_600_000;

export class EventNames {
  #day = -1;
  /** By environment. */
  #names = new Map<string, Set<string>>();

  /**
   * A name that a metric counts always is.
   * @param nowMs milliseconds since the epoch
   */
  admits({ id, settings }: Reported, name: string, nowMs: number): boolean {
    const names = this.#namesOf(id, nowMs);
    if (names.has(name)) return true;
    if (names.size >= eventNamesMax) return settings.metricEvents.includes(name);
    names.add(name);
    return true;
  }

  #namesOf(environment: string, nowMs: number): Set<string> {
    const day = Math.floor(nowMs / dayMs);
    if (day !== this.#day) this.#names = new Map();
    this.#day = day;
    const known = this.#names.get(environment);
    if (known !== undefined) return known;
    const names = new Set<string>();
    this.#names.set(environment, names);
    return names;
  }
}
