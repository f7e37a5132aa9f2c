/** How much processor time a process and everything it started has taken, read from /proc. */
import { readFileSync } from 'node:fs';
import { childrenOf } from './process-tree.js';

// USER_HZ: what /proc/<pid>/stat counts in, on every Linux that Node runs on.
const ticksPerSecond = 100;
// Places among the fields after the process name; the first of them is the state.
const utime = 11;
const cstime = 14;

/** Seconds of user and system time of `pid`, of its living descendants, and of those it has already collected. */
export function cpuSecondsOf(pid: number): number {
  return ticksOfTree(pid) / ticksPerSecond;
}

function ticksOfTree(pid: number): number {
  const own = ticksOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfTree(child), own);
}

/** utime + stime + cutime + cstime; 0 when the process is gone, since its parent then counts it. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(utime, cstime + 1).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}
