/** Looks at processes from outside, through /proc: children, liveness, and which process holds which TCP socket. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';
const ESTABLISHED = '01';

/** The direct children of every thread of `pid`; none when it is gone. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((child) => child !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** A zombie, whose parent has not collected it yet, counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}

/** The children of `pid` that listen on TCP port `port`, ascending. */
export function listenersOf(pid: number, port: number): number[] {
  const inodes = tcpSockets()
    .filter((socket) => socket.state === LISTENING && socket.localPort === port)
    .map((socket) => socket.inode);
  return childrenOf(pid)
    .filter((child) => holdsAny(child, inodes))
    .sort((a, b) => a - b);
}

/** Which of `pids` holds the server's end of the connection from `clientPort` to `serverPort`. */
export function ownerOfConnection(
  pids: readonly number[],
  serverPort: number,
  clientPort: number,
): number | undefined {
  const inodes = tcpSockets()
    .filter(
      (socket) =>
        socket.state === ESTABLISHED &&
        socket.localPort === serverPort &&
        socket.remotePort === clientPort,
    )
    .map((socket) => socket.inode);
  return pids.find((pid) => holdsAny(pid, inodes));
}

interface TcpSocket {
  readonly localPort: number;
  readonly remotePort: number;
  readonly state: string;
  readonly inode: string;
}

function tcpSockets(): TcpSocket[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => {
        const fields = line.trim().split(/\s+/);
        return {
          localPort: portOf(fields[1]),
          remotePort: portOf(fields[2]),
          state: fields[3] ?? '',
          inode: fields[9] ?? '',
        };
      }),
  );
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16);
}

function holdsAny(pid: number, inodes: readonly string[]): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const target = linkOf(`/proc/${pid}/fd/${fd}`);
      return inodes.some((inode) => target === `socket:[${inode}]`);
    });
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed since the folder was listed
  }
}
