/** CPU time of a process, as the kernel counts it: what stays true when the load generator is the bottleneck. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Seconds of user and system time since the process began. */
export interface CpuTime {
  readonly process: number;
  /** Its main thread alone: the event loop. */
  readonly mainThread: number;
}

/** NaN where there is no /proc: the tables then show a dash. */
export function cpuTimeOf(pid: number): CpuTime {
  return {
    process: secondsIn(`/proc/${pid}/stat`),
    mainThread: secondsIn(`/proc/${pid}/task/${pid}/stat`),
  };
}

function secondsIn(path: string): number {
  let stat: string;
  try {
    stat = readFileSync(path, 'utf8');
  } catch {
    return Number.NaN;
  }
  // The second field is the command in parentheses and may hold anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond();
}

/** Seconds that all cores together were busy since the machine began, for whomever; what the host took included. */
export function machineBusySeconds(): number {
  try {
    const [line] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user, nice, system, , , irq, softirq, steal] = line!.split(/ +/).slice(1).map(Number);
    return (user! + nice! + system! + irq! + softirq! + steal!) / ticksPerSecond();
  } catch {
    return Number.NaN;
  }
}

/** USER_HZ of every architecture that Loadout runs on; small images have no getconf. */
const ticksUsual = 100;
let ticks = 0;

function ticksPerSecond(): number {
  if (ticks === 0) ticks = askedTicks();
  return ticks;
}

function askedTicks(): number {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return ticksUsual;
  }
}

/** Resident memory in bytes; NaN where there is no /proc. */
export function residentBytesOf(pid: number): number {
  return memoryOf(pid, 'VmRSS');
}

/** The most that was ever resident, in bytes; NaN where there is no /proc. */
export function peakBytesOf(pid: number): number {
  return memoryOf(pid, 'VmHWM');
}

function memoryOf(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
