/** Divides the cores that this process may use between servers and load generators. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Cores } from '../bench.js';
import { coreSet } from '../option-values.mjs';

/**
 * A third of them are the servers': a load generator that compares every byte sends about half of what a listener can bear.
 * With one core only, both use it.
 * @param allowed at least one
 */
export function divideCores(allowed: readonly number[]): Cores {
  if (allowed.length === 1) return { server: allowed, load: allowed };
  const servers = Math.max(1, Math.floor(allowed.length / 3));
  return { server: allowed.slice(0, servers), load: allowed.slice(servers) };
}

/** The numbers of the cores that the kernel lets this process use. */
export function allowedCores(): readonly number[] {
  const listed = allowedIn(statusText());
  return listed.length > 0 ? listed : Array.from({ length: availableParallelism() }, (_, at) => at);
}

/** @param status what /proc/self/status has: `Cpus_allowed_list: 0-3,8` */
export function allowedIn(status: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(status)?.[1];
  return coreSet((list ?? '').replaceAll(',', '+')) ?? [];
}

function statusText(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
