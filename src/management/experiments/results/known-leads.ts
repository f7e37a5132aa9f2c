/**
 * What the results of running experiments said when they were computed last. An overview shows these, and never waits for an
 * analysis: old ones are computed again one by one in the background, while people look (D101).
 */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { ExperimentLead } from '../../../contract/operations/overview.js';
import { Problem } from '../../../contract/problems.js';
import { leadOf } from '../../../contract/results/lead.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { AnalysisUnavailable } from '../../analysis-unavailable.js';
import { leadMsMax, leadsKeptMax } from '../../limits/experiments.js';
import { computeResults, type ResultsDeps, type ResultsOptions } from './compute-results.js';
import { readResultsPlan } from './results-plan.js';

/** Which phase of an experiment is meant. */
export interface LeadKey {
  readonly environment: string;
  readonly experiment: string;
  readonly phase: number;
}

/** What an experiment's page shows first. */
const usual: ResultsOptions = { method: 'sequential', segment: null };

export class KnownLeads {
  readonly #deps: ResultsDeps;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #known = new LRUCache<string, ExperimentLead>({ max: leadsKeptMax });
  /** When each was last tried, milliseconds since the epoch: one that fails waits as long as one that does not. */
  readonly #triedAtMs = new LRUCache<string, number>({ max: leadsKeptMax });
  #refreshing: Promise<void> | null = null;

  constructor(deps: ResultsDeps, log: Pick<Logger, 'warn'>) {
    this.#deps = deps;
    this.#log = log;
  }

  /** Null: the results of this phase were not computed since the start of the server. */
  find(key: LeadKey): ExperimentLead | null {
    return this.#known.get(textOf(key)) ?? null;
  }

  /** Takes the lead from results that were computed for a page. */
  note(environment: string, results: Results, { method, segment }: ResultsOptions): void {
    if (method !== usual.method || segment !== usual.segment) return;
    const { experiment, phase } = results;
    this.#known.set(textOf({ environment, experiment, phase }), leadJson(results));
    this.#triedAtMs.set(textOf({ environment, experiment, phase }), this.#deps.now());
  }

  /** Computes those again that are old, unless that is under way. Returns at once. */
  refreshOld(keys: readonly LeadKey[]): void {
    const dueBeforeMs = this.#deps.now() - leadMsMax;
    const due = keys.filter((key) => (this.#triedAtMs.get(textOf(key)) ?? 0) <= dueBeforeMs);
    if (due.length === 0 || this.#refreshing !== null) return;
    this.#refreshing = this.#refresh(due).finally(() => {
      this.#refreshing = null;
    });
  }

  /** Resolves when nothing is computed in the background. */
  async idle(): Promise<void> {
    await this.#refreshing;
  }

  async #refresh(keys: readonly LeadKey[]): Promise<void> {
    for (const key of keys) {
      this.#triedAtMs.set(textOf(key), this.#deps.now());
      try {
        await this.#compute(key);
      } catch (error) {
        // Others are asked for events first, or the analysis has said why in the log: the next look tries again.
        if (error instanceof AnalysisUnavailable) return;
        const { environment, experiment } = key;
        this.#log.warn(
          { event: 'experiment_lead_failed', environment, experiment, err: error },
          'the overview shows an older result of an experiment, or none',
        );
      }
    }
  }

  async #compute({ environment, experiment, phase }: LeadKey): Promise<void> {
    const plan = await this.#deps.store.read((db) =>
      readResultsPlan(db, environment, experiment, phase),
    );
    // It was deleted, or its environment.
    if (plan instanceof Problem) return;
    this.note(environment, await computeResults(this.#deps, plan, usual), usual);
  }
}

function textOf({ environment, experiment, phase }: LeadKey): string {
  return `${environment} ${experiment} ${phase}`;
}

function leadJson(results: Results): ExperimentLead {
  const { computedAt, dataUntil, health, variants } = results;
  const { kind, short } = leadOf(results);
  return {
    ...{ asOf: computedAt, dataUntil, health: health.status, kind, text: short },
    variants: variants.map(({ name, assigned }) => ({ name, players: assigned })),
  };
}
