/** What the kernel holds for sockets. There is no figure of one process; on a quiet machine the difference is that of the connections. */
import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/** Slab caches and the buffers of TCP, bytes; NaN where there is no /proc. */
export function kernelBytes(): number {
  try {
    const slabKib = Number(/^Slab:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
    const sockets = readFileSync('/proc/net/sockstat', 'utf8');
    const pages = Number(/^TCP: .* mem (\d+)$/m.exec(sockets)?.[1]);
    return slabKib * 1024 + pages * pageBytes;
  } catch {
    return Number.NaN;
  }
}
