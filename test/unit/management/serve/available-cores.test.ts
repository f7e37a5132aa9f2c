import { describe, expect, it } from 'vitest';
import { cpuQuota } from '../../../../src/management/serve/available-cores.js';

/** Files as the kernel shows them (cgroup-v2.rst, sched-bwc.rst). */
function quotaOf(files: Readonly<Record<string, string>>): number | null {
  return cpuQuota((path) => files[path] ?? null);
}

describe('the CPU quota of control groups', () => {
  it('is none where there are none, or none has one', () => {
    expect(quotaOf({})).toBeNull();
    expect(
      quotaOf({
        '/proc/self/cgroup': '0::/\n',
        '/sys/fs/cgroup/cpu.max': 'max 100000\n',
      }),
    ).toBeNull();
    expect(quotaOf({ '/proc/self/cgroup': 'nonsense\n\n0:\n' })).toBeNull();
  });

  it('is read of a container, which sees its own group as the root', () => {
    const files = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' };
    expect(quotaOf(files)).toBe(1.5);
  });

  it('is the smallest of the groups around a unit', () => {
    const files = {
      '/proc/self/cgroup': '0::/system.slice/loadout.service\n',
      '/sys/fs/cgroup/system.slice/loadout.service/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/system.slice/cpu.max': '300000 100000\n',
      '/sys/fs/cgroup/cpu.max': 'max 100000\n',
    };
    expect(quotaOf(files)).toBe(3);
  });

  it('is read of version 1, under either mount, also where the path is that of the host', () => {
    const line = '4:cpu,cpuacct:/docker/0123\n3:memory:/docker/0123\n';
    const quota = (mount: string): Record<string, string> => ({
      '/proc/self/cgroup': line,
      [`/sys/fs/cgroup/${mount}/cpu.cfs_quota_us`]: '50000\n',
      [`/sys/fs/cgroup/${mount}/cpu.cfs_period_us`]: '100000\n',
    });
    expect(quotaOf(quota('cpu,cpuacct'))).toBe(0.5);
    expect(quotaOf(quota('cpu'))).toBe(0.5);
    expect(quotaOf({ ...quota('cpu'), '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n' })).toBeNull();
  });
});
