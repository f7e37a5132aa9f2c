/** Reads the settings of an environment that delivery needs beside its contents. */
import type { EnvironmentSettings } from '../../published/environment-settings.js';
import type { Db } from './dialect.js';
import { readPublishedExperiments } from './experiments/published-experiments.js';
import { readLayers } from './layers/read-layers.js';
import { readTrafficKept } from './traffic-policies.js';

/** As they are published: what is defined, and the experiments that run. */
export async function readSettings(db: Db, environment: string): Promise<EnvironmentSettings> {
  const layers = await readLayers(db, environment);
  const traffic = await readTrafficKept(db, environment);
  return { ...layers, ...(await readPublishedExperiments(db, environment)), traffic };
}
