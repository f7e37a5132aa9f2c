/** Says in `/metrics` which build runs, on what: a series of value 1, whose labels are joined to others. */
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';

const info = metric({
  name: 'loadout_build_info',
  help: 'Always 1: the version of Loadout and of Node, the platform and architecture, and the kind of store, `sqlite` or `postgres`; `parent` on a server that follows another one.',
  labels: ['version', 'node', 'platform', 'arch', 'store'],
});

export const buildMetrics: readonly Metric[] = [info];

/** @param version of Loadout */
export function buildInfo(version: string, store: 'sqlite' | 'postgres' | 'parent'): Gauge {
  const { platform, arch } = process;
  return sample(info, 1, { version, node: process.versions.node, platform, arch, store });
}
