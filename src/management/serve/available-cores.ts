/**
 * How many cores this server may use: those of the machine that it may run on, less where a control group has a CPU quota, as
 * containers and units with `CPUQuota=` have. Node 20 does not look at quotas itself; newer versions do, and round down as well.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';

/** @returns the text of a file, or null where it cannot be read */
export type ReadText = (path: string) => string | null;

const groupsPath = '/proc/self/cgroup';
const mountPath = '/sys/fs/cgroup';
/** Group controllers of version 1 that have CPU quotas are mounted under one of these names. */
const v1Mounts = ['cpu,cpuacct', 'cpu'];

/** @returns whole cores, at least 1 */
export function availableCores(): number {
  const quota = cpuQuota(readText);
  const cores = availableParallelism();
  return quota === null ? cores : Math.max(1, Math.min(cores, Math.floor(quota)));
}

/**
 * The smallest CPU quota of the process's control group and of those around it, in cores; null: there is none.
 * Sources: cgroup-v2.rst ("cpu.max") and sched-bwc.rst ("cpu.cfs_quota_us") of the Linux kernel.
 */
export function cpuQuota(read: ReadText): number | null {
  const groups = (read(groupsPath) ?? '').split('\n').flatMap(quotasOfLine(read));
  return groups.length === 0 ? null : Math.min(...groups);
}

/** Of a line `hierarchy:controllers:path`. */
function quotasOfLine(read: ReadText): (line: string) => number[] {
  return (line) => {
    const [hierarchy, controllers = '', ...path] = line.split(':');
    const group = path.join(':');
    if (!group.startsWith('/')) return [];
    if (hierarchy === '0' && controllers === '') {
      return around(group).flatMap((at) => parseMax(read(posix.join(mountPath, at, 'cpu.max'))));
    }
    if (!controllers.split(',').includes('cpu')) return [];
    return around(group).flatMap((at) =>
      v1Mounts.flatMap((mount) => {
        const file = (name: string) => read(posix.join(mountPath, mount, at, name));
        return parseQuota(file('cpu.cfs_quota_us'), file('cpu.cfs_period_us'));
      }),
    );
  };
}

/** The group and those around it. A container sees its own as the root, whatever its path is outside. */
function around(group: string): readonly string[] {
  const above: string[] = [];
  for (let at = posix.normalize(group); ; at = posix.dirname(at)) {
    above.push(at);
    if (at === '/') return above;
  }
}

/** `max 100000`, or `150000 100000`: microseconds of CPU in each period. */
function parseMax(text: string | null): number[] {
  const [quota = null, period = null] = (text ?? '').trim().split(' ');
  return parseQuota(quota, period);
}

/** No quota is `max` in version 2, and -1 in version 1. */
function parseQuota(quota: string | null, period: string | null): number[] {
  const [used, each] = [Number(quota ?? Number.NaN), Number(period ?? Number.NaN)];
  return used > 0 && each > 0 ? [used / each] : [];
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
