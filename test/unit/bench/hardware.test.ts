/** What a run's record says of its machine: read where the kernel tells it, `unknown` where it does not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  describeHardware,
  threadsPerCore,
  turboOf,
  virtualisationOf,
} from '../../../bench/report/hardware.js';
import { describeMachine, libcOf } from '../../../bench/report/machine.js';

/** A folder with files as /proc and /sys have them. */
function machineOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'loadout-machine-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const server = {
  'proc/meminfo':
    'MemTotal:       131923324 kB\nMemFree:         1000000 kB\nMemAvailable:   120000000 kB\n',
  'proc/cpuinfo':
    'processor\t: 0\nsiblings\t: 64\ncpu cores\t: 32\nflags\t\t: fpu vme sse2 avx2\n\nprocessor\t: 1\n',
  'sys/devices/system/cpu/cpu0/topology/thread_siblings_list': '0,32\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'performance\n',
  'sys/devices/system/cpu/intel_pstate/no_turbo': '1\n',
  'sys/devices/system/node/node0/cpulist': '0-31\n',
  'sys/devices/system/node/node1/cpulist': '32-63\n',
  'sys/devices/system/node/online': '0-1\n',
};

describe('the hardware', () => {
  it('of a server is read', () => {
    expect(describeHardware(machineOf(server), '')).toEqual({
      memoryTotalMiB: 128831,
      memoryFreeMiB: 117188,
      threadsPerCore: 2,
      numaNodes: 2,
      governor: 'performance',
      turbo: 'off',
      virtualisation: 'none',
    });
  });

  it('of a machine that tells nothing is unknown', () => {
    expect(describeHardware(machineOf({}), '')).toEqual({
      memoryTotalMiB: null,
      memoryFreeMiB: null,
      threadsPerCore: null,
      numaNodes: null,
      governor: 'unknown',
      turbo: 'unknown',
      virtualisation: 'unknown',
    });
  });

  it('has its threads per core from either source', () => {
    expect(threadsPerCore('0-1\n', '')).toBe(2);
    expect(threadsPerCore('0\n', server['proc/cpuinfo'])).toBe(1);
    expect(threadsPerCore('', server['proc/cpuinfo'])).toBe(2);
    expect(threadsPerCore('damaged', 'nothing')).toBeNull();
  });

  it('has its turbo from either driver', () => {
    expect(turboOf('0\n', '')).toBe('on');
    expect(turboOf('', '1\n')).toBe('on');
    expect(turboOf('', '0\n')).toBe('off');
  });

  it('says what it runs on', () => {
    const inGuest = 'flags\t\t: fpu hypervisor sse2\n';
    expect(virtualisationOf('docker in kvm', inGuest, '')).toBe('docker in kvm');
    expect(virtualisationOf('', inGuest, 'Google Compute Engine\n')).toBe('Google Compute Engine');
    expect(virtualisationOf('', inGuest, '')).toBe('hypervisor');
    expect(virtualisationOf('none', inGuest, '')).toBe('none');
  });
});

describe('the machine', () => {
  it('names its C library', () => {
    expect(libcOf({ header: { glibcVersionRuntime: '2.36' } })).toBe('glibc 2.36');
    expect(libcOf(JSON.stringify({ header: { glibcVersionRuntime: '2.41' } }))).toBe('glibc 2.41');
    expect(libcOf({ header: {} })).toBe('unknown');
  });

  it('is described wherever this runs, with every field of earlier records', () => {
    const machine = describeMachine();
    expect(machine).toMatchObject({ node: process.version, arch: process.arch });
    expect(machine.uws).toMatch(/^(@btc-vision\/uwebsockets|uWebSockets)\.js \d+\.\d+/);
    const fields = ['commit', 'date', 'node', 'cpu', 'cores', 'kernel', 'load'];
    expect(Object.keys(machine)).toEqual(expect.arrayContaining(fields));
    expect(Object.values(machine)).not.toContain(undefined);
  });
});
