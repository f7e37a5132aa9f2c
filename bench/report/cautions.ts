/** What makes the figures of a machine mean little, as far as it can be seen before a run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../bench.js';

export interface Circumstances {
  /** Cores that this process may use. */
  readonly cores: number;
  /** Cores' worth of time that a control group allows; null: as much as there is. */
  readonly cpuQuota: number | null;
  /** Load average of the last minute; NaN where the system does not tell. */
  readonly load: number;
  readonly governor: string;
  readonly onBattery: boolean;
  /** Whether processes can be bound to cores. */
  readonly canPin: boolean;
  /** Whether the system tells the CPU time of processes. */
  readonly tellsCpuTime: boolean;
}

/** Server and load generator need a core each. */
const coresMin = 2;
/** More than this of the machine was busy before anything was measured. */
const loadShareMax = 0.25;

export function cautionsOf(of: Circumstances): readonly string[] {
  const cautions: string[] = [];
  if (of.cores < coresMin) {
    cautions.push(
      'This process may use one core: server and load generator share it, so rates are about half of what the machine carries.',
    );
  } else if (!of.canPin) {
    cautions.push(
      'Processes cannot be bound to cores here (taskset is missing): server and load generator may share a core, and figures scatter.',
    );
  }
  if (!of.tellsCpuTime) {
    cautions.push(
      'The system does not tell the CPU time of processes: whether the load generator was the bottleneck stays unknown.',
    );
  }
  if (of.cpuQuota !== null && of.cpuQuota < of.cores) {
    cautions.push(
      `A quota allows ${of.cpuQuota.toFixed(1)} cores of CPU time: figures are of the quota, and latency has its pauses.`,
    );
  }
  if (of.load > of.cores * loadShareMax) {
    cautions.push(
      `The machine was busy before the run (load average ${of.load.toFixed(1)} on ${of.cores} cores): repeat the run when it is idle.`,
    );
  }
  if (of.governor === 'powersave' || of.governor === 'conservative') {
    cautions.push(`The CPU governor is ${of.governor}: the clock may stay below its maximum.`);
  }
  if (of.onBattery) cautions.push('The machine runs on battery: the clock may stay low.');
  return cautions;
}

/** What was seen during the run: races say in their last column what others used. */
export function disturbanceOf(findings: readonly Finding[]): readonly string[] {
  const isDisturbed = findings.some(({ rows }) =>
    rows.some((row) => String(row.at(-1)).includes('others used')),
  );
  return isDisturbed
    ? ['Other programs used the machine during the run: repeat it when the machine is idle.']
    : [];
}

/**
 * What a control group allows of CPU time, in cores; null: no quota.
 * @param root where /sys is; a test has its own
 */
export function cpuQuotaOf(root: string): number | null {
  const [quota, period] = textOf(join(root, 'sys/fs/cgroup/cpu.max')).split(' ').map(Number);
  const older = Number(textOf(join(root, 'sys/fs/cgroup/cpu/cpu.cfs_quota_us')) || Number.NaN);
  const olderPeriod = Number(textOf(join(root, 'sys/fs/cgroup/cpu/cpu.cfs_period_us')));
  const cores = period === undefined ? older / olderPeriod : (quota ?? Number.NaN) / period;
  return Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** @param root where /sys is; a test has its own */
export function isOnBattery(root: string): boolean {
  const folder = join(root, 'sys/class/power_supply');
  try {
    return readdirSync(folder).some(
      (name) => textOf(join(folder, name, 'status')) === 'Discharging',
    );
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
