import { describe, expect, it } from 'vitest';
import { CountedNetworks } from '../../../../../src/management/releases/brake/counted-networks.js';
import {
  candidateShare,
  evidenceLimit,
  evidenceOf,
  hostileNetworksMax,
} from '../../../../../src/management/releases/brake/evidence.js';
import { minimumUsers } from '../../../../../src/management/releases/brake/minimum-users.js';

/** Missing users, each in a network of its own. */
function singles(candidate: number, control: number) {
  return [
    { candidate: 1, control: 0, networks: candidate },
    { candidate: 0, control: 1, networks: control },
  ];
}

describe('evidence', () => {
  it.each([0.5, 0.6, 0.9])('is 1 on average under the null, with a share of %d', (share) => {
    const users = 30;
    let [mean, probability] = [0, (1 - share) ** users];
    for (let candidate = 0; candidate <= users; candidate += 1) {
      mean += probability * evidenceOf(singles(candidate, users - candidate), share, 0);
      probability *= ((users - candidate) / (candidate + 1)) * (share / (1 - share));
    }
    expect(mean).toBeCloseTo(1, 9);
  });

  it('is 1 where nobody is missing', () => {
    expect(evidenceOf([], 0.5)).toBe(1);
  });

  it('grows with those missing in the candidate slice, and shrinks with those of the control', () => {
    const evidence = evidenceOf(singles(100, 40), 0.5);
    expect(evidenceOf(singles(101, 40), 0.5)).toBeGreaterThan(evidence);
    expect(evidenceOf(singles(100, 41), 0.5)).toBeLessThan(evidence);
  });

  it('stays a number that JSON can write', () => {
    expect(evidenceOf(singles(131_072, 0), 0.5)).toBe(1e12);
  });

  it('is nothing, whatever as many networks say as may be hostile', () => {
    const hostile = { candidate: 500, control: 0, networks: hostileNetworksMax };
    expect(evidenceOf([hostile], 0.5)).toBe(1);
    expect(evidenceOf([{ ...hostile, networks: hostileNetworksMax + 1 }], 0.5)).toBe(1e12);
  });

  it('is never more than what the networks that are not hostile give alone', () => {
    const honest = singles(90, 80);
    const alone = evidenceOf(honest, 0.5, 0);
    for (const forged of [0, 1, 5, 50]) {
      const hostile = { candidate: forged, control: 0, networks: hostileNetworksMax };
      // The same sum in another order.
      expect(evidenceOf([...honest, hostile], 0.5)).toBeLessThanOrEqual(alone * (1 + 1e-9));
    }
  });
});

describe('slices', () => {
  it('are equal up to half of the users, and there is no control once everybody is in', () => {
    expect([1, 10, 500].map(candidateShare)).toEqual([0.5, 0.5, 0.5]);
    expect(candidateShare(750)).toBe(0.75);
    expect([0, 1000].map(candidateShare)).toEqual([null, null]);
  });

  it('share a budget of 1 % over all steps', () => {
    expect([1, 4].map(evidenceLimit)).toEqual([100, 400]);
  });
});

describe('a network', () => {
  it('counts once as long as few others are missing more', () => {
    const networks = new CountedNetworks();
    for (let user = 0; user < 500; user += 1) networks.add('one', 'candidate');
    for (let user = 0; user < 100; user += 1) networks.add(`other ${user}`, 'control');
    expect(networks.kinds).toEqual([
      { candidate: 1, control: 0, networks: 1 },
      { candidate: 0, control: 1, networks: 100 },
    ]);
  });

  it('counts as often as many others do', () => {
    const networks = new CountedNetworks();
    for (let round = 0; round < 5; round += 1) {
      for (let network = 0; network < 50; network += 1) networks.add(`${network}`, 'candidate');
    }
    const counted = networks.kinds.reduce((sum, kind) => sum + kind.candidate * kind.networks, 0);
    // The first of each round are ahead of the rule.
    expect(counted).toBeGreaterThan(50);
    expect(Math.max(...networks.kinds.map(({ candidate }) => candidate))).toBeLessThanOrEqual(5);
  });

  it('is counted without a look at slices', () => {
    const order = Array.from({ length: 3000 }, (_, at) => `${(at * at) % 97}`);
    const total = (slice: (at: number) => 'candidate' | 'control') => {
      const networks = new CountedNetworks();
      for (const [at, network] of order.entries()) networks.add(network, slice(at));
      return networks.kinds.reduce(
        (sum, { candidate, control, networks: count }) => sum + (candidate + control) * count,
        0,
      );
    };
    const all = total(() => 'candidate');
    expect(total(() => 'control')).toBe(all);
    expect(total((at) => (at % 3 === 0 ? 'control' : 'candidate'))).toBe(all);
  });
});

describe('users that a fault takes to be seen', () => {
  it('grow with those who are missing anyway, and with the steps', () => {
    const users = [0.01, 0.05, 0.2].map((rate) => minimumUsers(rate, 10, 4) ?? 0);
    expect(users[0]).toBeLessThan(users[1] as number);
    expect(users[1]).toBeLessThan(users[2] as number);
    expect(minimumUsers(0.05, 10, 1)).toBeLessThan(minimumUsers(0.05, 10, 20) as number);
  });

  it('are not enough whatever their number when everybody is in', () => {
    expect(minimumUsers(0.05, 1000, 4)).toBeNull();
  });
});
