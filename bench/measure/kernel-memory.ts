/**
 * What the kernel holds for sockets. It has no figure of one process; while nothing else opens many, the growth of the caches
 * that sockets are made of is that of the connections.
 */
import { readFileSync } from 'node:fs';

const pageBytes = 4096;
/** Caches of which a connection has objects; those of files change with whatever else the machine does. */
const ofSockets =
  /^(TCP|TCPv6|sock_inode_cache|filp|eventpoll_\w+|skbuff\w*|tcp_bind\w*|kmalloc-\w+)$/;

/** Bytes of those caches, and of the buffers of TCP; NaN where /proc does not tell (only root may see the caches). */
export function kernelBytes(): number {
  try {
    const sockets = readFileSync('/proc/net/sockstat', 'utf8');
    const pages = Number(/^TCP: .* mem (\d+)$/m.exec(sockets)?.[1]);
    return socketCacheBytes(readFileSync('/proc/slabinfo', 'utf8')) + pages * pageBytes;
  } catch {
    return Number.NaN;
  }
}

/** A line: name, objects in use, objects, bytes of one, objects and pages of a slab, …, slabs in use, slabs, … */
function socketCacheBytes(slabinfo: string): number {
  let bytes = 0;
  let socketCount = 0;
  let entryBytes = 0;
  for (const line of slabinfo.split('\n')) {
    const fields = line.split(/ +/);
    const [name = '', used, , objectBytes, , pagesPerSlab] = fields;
    if (name === 'dentry') entryBytes = Number(objectBytes);
    if (name === 'sock_inode_cache') socketCount = Number(used);
    if (!ofSockets.test(name)) continue;
    bytes += Number(fields.at(-2)) * Number(pagesPerSlab) * pageBytes;
  }
  // Each socket has one directory entry, in a cache that is mostly of files.
  return bytes + socketCount * entryBytes;
}
