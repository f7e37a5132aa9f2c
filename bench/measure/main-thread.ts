/** CPU time of the thread that runs a process's event loop. */
import { readFileSync } from 'node:fs';

/** Milliseconds since it started, as the kernel counts them, to the nanosecond. */
export function mainThreadMs(pid: number): number {
  const [ran] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}
