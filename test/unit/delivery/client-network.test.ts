import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientNetworks } from '../../../src/delivery/http/client-network.js';

const direct = new ClientNetworks([]);
const trusting = new ClientNetworks(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

describe('the network of a client', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['0000:0000:0000:0000:0000:ffff:cb00:714d', '203.0.113.0/24'],
    ['2a00:1:2:3:4:5:6:7', '2a00:1:2::/48'],
    ['2a00:0001:0002:ffff:0000:0000:0000:0001', '2a00:1:2::/48'],
    ['::1', '::/48'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%s is in %s', (peer, network) => {
    expect(direct.of(peer, '198.51.100.1')).toBe(network);
  });

  it.each([
    ['10.0.0.1', '203.0.113.7', '203.0.113.0/24'],
    ['10.0.0.1', ' 203.0.113.7 ', '203.0.113.0/24'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.0/24'],
    ['10.0.0.1', '198.51.100.1,203.0.113.7,10.9.9.9,192.0.2.1', '203.0.113.0/24'],
    ['::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8::1', '2a00:1:2:3::1', '2a00:1:2::/48'],
    ['10.0.0.1', '203.0.113.7:51234', '203.0.113.0/24'],
    ['10.0.0.1', '[2a00:1:2:3::1]:443', '2a00:1:2::/48'],
    ['10.0.0.1', '[2a00:1:2:3::1]', '2a00:1:2::/48'],
    ['10.0.0.1', '203.0.113.7, 10.2.0.1:80', '203.0.113.0/24'],
    ['10.0.0.1', '203.0.113.7:', '10.0.0.0/24'],
    ['10.0.0.1', '[203.0.113.7', '10.0.0.0/24'],
    ['10.0.0.1', '[]:443', '10.0.0.0/24'],
    ['192.0.2.2', '203.0.113.7', '192.0.2.0/24'],
    ['10.0.0.1', '', '10.0.0.0/24'],
    ['10.0.0.1', 'unknown', '10.0.0.0/24'],
    ['10.0.0.1', '203.0.113.7, unknown', '10.0.0.0/24'],
    ['10.0.0.1', '203.0.113.7,, ', '10.0.0.0/24'],
    ['10.0.0.1', '10.0.1.1, 10.0.2.1', '10.0.1.0/24'],
  ])('from %s for %j is %s', (peer, forwarded, network) => {
    expect(trusting.of(peer, forwarded)).toBe(network);
  });

  it('does not depend on what the client itself wrote', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (written, client) => {
        fc.pre(!client.startsWith('10.') && client !== '192.0.2.1');
        const network = direct.of(client, '');
        expect(trusting.of('10.0.0.1', `${written},${client}`)).toBe(network);
        expect(trusting.of('10.0.0.1', `${written},${client}, 10.3.4.5`)).toBe(network);
        expect(trusting.of(client, written)).toBe(network);
      }),
    );
  });

  it('is found in a long list without reading all of it', () => {
    expect(trusting.of('10.0.0.1', `203.0.113.7${',10.0.0.2'.repeat(100_000)}`)).toBe(
      '10.0.0.0/24',
    );
  });
});
