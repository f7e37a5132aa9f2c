/** Memory, cores, clock and virtualisation as Linux reports them; `unknown` or null where it does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Hardware {
  readonly memoryTotalMiB: number | null;
  /** What programs could still be given. */
  readonly memoryFreeMiB: number | null;
  /** 2 and more: simultaneous multithreading (SMT) is on. */
  readonly threadsPerCore: number | null;
  readonly numaNodes: number | null;
  /** Of core 0: `performance`, `powersave`, ... */
  readonly governor: string;
  readonly turbo: 'on' | 'off' | 'unknown';
  /** `none`, or what the machine runs on: `kvm`, `docker in kvm`, ... */
  readonly virtualisation: string;
}

const unknown = 'unknown';

/**
 * @param root where /proc and /sys are; a test has its own
 * @param detected what `systemd-detect-virt` says; '' for nothing
 */
export function describeHardware(root: string, detected: string): Hardware {
  const read = (path: string): string => {
    try {
      return readFileSync(join(root, path), 'utf8');
    } catch {
      return '';
    }
  };
  const meminfo = read('proc/meminfo');
  const cpuinfo = read('proc/cpuinfo');
  return {
    memoryTotalMiB: mebibytesIn(meminfo, 'MemTotal'),
    memoryFreeMiB: mebibytesIn(meminfo, 'MemAvailable'),
    threadsPerCore: threadsPerCore(
      read('sys/devices/system/cpu/cpu0/topology/thread_siblings_list'),
      cpuinfo,
    ),
    numaNodes: numaNodes(join(root, 'sys/devices/system/node')),
    governor: read('sys/devices/system/cpu/cpu0/cpufreq/scaling_governor').trim() || unknown,
    turbo: turboOf(
      read('sys/devices/system/cpu/intel_pstate/no_turbo'),
      read('sys/devices/system/cpu/cpufreq/boost'),
    ),
    virtualisation: virtualisationOf(detected, cpuinfo, read('sys/class/dmi/id/product_name')),
  };
}

/** A line of /proc/meminfo: `MemTotal:  24683520 kB`. */
function mebibytesIn(meminfo: string, name: string): number | null {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
}

/**
 * @param siblings the threads of one core, such as `0,32` or `0-1`; '' where the kernel does not list them
 * @param cpuinfo says how many threads and cores a package has
 */
export function threadsPerCore(siblings: string, cpuinfo: string): number | null {
  const listed = listLength(siblings.trim());
  if (listed > 0) return listed;
  const threads = Number(/^siblings\s*: (\d+)$/m.exec(cpuinfo)?.[1]);
  const cores = Number(/^cpu cores\s*: (\d+)$/m.exec(cpuinfo)?.[1]);
  return threads > 0 && cores > 0 ? threads / cores : null;
}

/** How many numbers a list of the kernel has: 5 of `0-3,8`. */
function listLength(list: string): number {
  if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(list)) return 0;
  return list.split(',').reduce((sum, part) => {
    const [from, to] = part.split('-').map(Number);
    return sum + (to ?? from!) - from! + 1;
  }, 0);
}

function numaNodes(folder: string): number | null {
  try {
    return readdirSync(folder).filter((name) => /^node\d+$/.test(name)).length || null;
  } catch {
    return null;
  }
}

/** @param noTurbo of intel_pstate: `1` is off. @param boost of the other drivers: `1` is on. */
export function turboOf(noTurbo: string, boost: string): Hardware['turbo'] {
  if (noTurbo.trim() !== '') return noTurbo.trim() === '0' ? 'on' : 'off';
  if (boost.trim() !== '') return boost.trim() === '1' ? 'on' : 'off';
  return unknown;
}

/** systemd knows best; the processor's flag says that there is a hypervisor, and the firmware perhaps which. */
export function virtualisationOf(detected: string, cpuinfo: string, product: string): string {
  if (detected !== '') return detected;
  if (cpuinfo === '') return unknown;
  if (!/^flags\s*:.*\bhypervisor\b/m.test(cpuinfo))
    return /^flags/m.test(cpuinfo) ? 'none' : unknown;
  return product.trim() === '' ? 'hypervisor' : product.trim();
}
