/** Where and of what a run was made: figures mean nothing without it. What cannot be read is `unknown`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release } from 'node:os';
import { join } from 'node:path';
import { treeRoot } from '../build.js';
import { describeHardware, type Hardware } from './hardware.js';

export interface Machine extends Hardware {
  /** Short hash; `+` when the tree differed from it. */
  readonly commit: string;
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly kernel: string;
  /** Of one minute, before the first measurement: how busy the neighbours were. */
  readonly load: number;
  readonly arch: string;
  /** `glibc 2.36`. */
  readonly libc: string;
  /** Package and version of the HTTP front end. */
  readonly uws: string;
}

const unknown = 'unknown';

/** @param commit of what is measured; an installed package has its version */
export function describeMachine(commit: string = commitOf(treeRoot)): Machine {
  return {
    commit,
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? unknown,
    cores: availableParallelism(),
    kernel: release(),
    load: loadNow(),
    arch: arch(),
    libc: libcOf(process.report.getReport()),
    uws: uwsBuild(),
    ...describeHardware('/', detectedVirtualisation()),
  };
}

/** One line for the terminal. */
export function machineLine(machine: Machine): string {
  const { commit, node, cores, cpu, load, memoryTotalMiB, virtualisation, threadsPerCore } =
    machine;
  const memory = memoryTotalMiB === null ? unknown : `${Math.round(memoryTotalMiB / 1024)} GiB`;
  const threads = threadsPerCore === null ? '' : `, ${threadsPerCore} thread(s) per core`;
  return `${commit}, node ${node}, ${cores} x ${cpu}${threads}, ${memory}, virtualisation ${virtualisation}, load ${load}`;
}

/** @param report what `process.report.getReport()` gives: an object, or in some versions its JSON */
export function libcOf(report: unknown): string {
  const { header } = (typeof report === 'string' ? JSON.parse(report) : report) as {
    header?: { glibcVersionRuntime?: string };
  };
  const version = header?.glibcVersionRuntime;
  return version === undefined ? unknown : `glibc ${version}`;
}

/** An official release is taken where one is installed, as `src/delivery/uws/load-uws.ts` does. */
function uwsBuild(): string {
  for (const name of ['uWebSockets.js', '@btc-vision/uwebsockets.js']) {
    try {
      const manifest = readFileSync(join(treeRoot, 'node_modules', name, 'package.json'), 'utf8');
      return `${name} ${(JSON.parse(manifest) as { version: string }).version}`;
    } catch {
      // The next one.
    }
  }
  return unknown;
}

/** What systemd says, such as `docker in kvm`; '' where it is not there. */
function detectedVirtualisation(): string {
  const ask = (kind: '--container' | '--vm'): string => {
    try {
      return execFileSync('systemd-detect-virt', [kind], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      // It ends with 1 to say `none`.
      return (error as { stdout?: string }).stdout ?? '';
    }
  };
  const said = [ask('--container').trim(), ask('--vm').trim()].filter((kind) => kind !== '');
  const kinds = said.filter((kind) => kind !== 'none');
  return kinds.length > 0 ? kinds.join(' in ') : (said[0] ?? '');
}

function commitOf(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const hash = git('rev-parse', '--short', 'HEAD').trim();
    return git('status', '--porcelain', '--', 'src', 'native', 'bench') === '' ? hash : `${hash}+`;
  } catch {
    return 'none';
  }
}

function loadNow(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
  } catch {
    return Number.NaN;
  }
}
