/** What an environment's contents share at delivery beside saved segments: layers, the holdout, running experiments. */

import { type Layers, noLayers } from '../content/layers.js';
import { type TrafficKept, trafficKeptDefault } from '../content/traffic-kept.js';

/** An experiment that runs: what delivery needs to count who is assigned. */
export interface PublishedExperiment {
  readonly id: string;
  /** Counts the phases, from 1. */
  readonly phase: number;
  /** Lower-case id of the content item whose mapping has the rule. */
  readonly content: string;
  /** The rule's `segment`. */
  readonly segment: string;
  /** The rule's `salt`; null: the rule has none. */
  readonly salt: string | null;
  /** Names of the rule's variants, in its order. */
  readonly variants: readonly string[];
}

/** Layers are sorted by name. */
export interface EnvironmentSettings extends Layers {
  /** Those that run, sorted by id. */
  readonly experiments: readonly PublishedExperiment[];
  /** Whether `POST /api/v1/events` takes events for it: a metric is defined, or an experiment runs. */
  readonly takesEvents: boolean;
  /** Names of metric events that a metric counts, sorted: they are taken however many other names clients send. */
  readonly metricEvents: readonly string[];
  /** What is kept of the user contexts that requests carry. */
  readonly traffic: TrafficKept;
}

export const noSettings: EnvironmentSettings = {
  ...noLayers,
  experiments: [],
  takesEvents: false,
  metricEvents: [],
  traffic: trafficKeptDefault,
};

/** As the `settings` column has them; '' for none, which is also what files of earlier formats have. */
export function writeSettings(settings: EnvironmentSettings): string {
  const { layers, holdout, experiments, takesEvents, metricEvents, traffic } = settings;
  const isEmpty =
    layers.length === 0 && holdout === null && experiments.length === 0 && !takesEvents;
  if (isEmpty && traffic === trafficKeptDefault) return '';
  return JSON.stringify({ layers, holdout, experiments, takesEvents, metricEvents, traffic });
}

/** @param text what `writeSettings` wrote; the row's sum vouches for it */
export function readSettings(text: string): EnvironmentSettings {
  // Files of earlier formats do not say what is kept of requests.
  return text === '' ? noSettings : { ...noSettings, ...(JSON.parse(text) as EnvironmentSettings) };
}
