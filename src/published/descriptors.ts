/** File descriptors of this process: how many are open, and how many may be. Linux tells; other systems do not. */
import { readdirSync, readFileSync, statSync } from 'node:fs';

const ownDescriptors = '/proc/self/fd';
const openFiles = /^Max open files\s+(\d+|unlimited)/m;

/** How many are open; null where the system does not tell. One call of the system, however many there are. */
export function openDescriptors(): number | null {
  try {
    // The size of the folder is their number since Linux 6.2; before, it is 0.
    const { size } = statSync(ownDescriptors);
    // The folder itself is open while it is read.
    return size > 0 ? size : readdirSync(ownDescriptors).length - 1;
  } catch {
    return null;
  }
}

/** Descriptors that this process may open; null where the system does not tell (it is not Linux). */
export function descriptorLimit(): number | null {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
  const soft = openFiles.exec(limits)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** The same for metrics, which have no number for a limit that is none. */
export function finiteDescriptorLimit(): number | null {
  const limit = descriptorLimit();
  return limit === Number.POSITIVE_INFINITY ? null : limit;
}
