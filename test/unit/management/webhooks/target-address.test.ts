import { describe, expect, it } from 'vitest';
import {
  lookUpAllowed,
  rejectedAddress,
  rejectedTarget,
} from '../../../../src/management/webhooks/target-address.js';

describe('refusedAddress', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.0.192',
    '100.100.100.200',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'fec0::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:ec2::253',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd20:ce::254',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '::ffff:100.100.100.200',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::168.63.129.16',
    '64:ff9b::168.63.129.16',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '::ffff:0:7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'localhost',
    '127.1',
    '',
  ])('refuses %s', (address) => {
    expect(rejectedAddress(address)).toEqual(expect.any(String));
  });

  it.each([
    '8.8.8.8',
    '10.1.2.3',
    '172.16.0.9',
    '192.168.1.1',
    '100.64.0.1',
    '168.63.129.15',
    '168.63.129.17',
    'fd00:ec3::254',
    '2a00:1450::1',
    'fd12:3456::1',
    '::ffff:10.1.2.3',
    '64:ff9b::808:808',
  ])('allows %s: public and private networks', (address) => {
    expect(rejectedAddress(address)).toBeNull();
  });
});

describe('refusedTarget', () => {
  it.each([
    ['not a url', /not a URL/],
    ['/hook', /not a URL/],
    ['ftp://example.com/', /must begin with/],
    ['file:///etc/passwd', /must begin with/],
    ['https://user@example.com/', /user name or password/],
    ['https://:secret@example.com/', /user name or password/],
    ['https://example.com/#part', /fragment/],
    ['http://127.0.0.1/', /loopback/],
    ['http://127.1:8081/', /loopback/],
    ['http://2130706433/', /loopback/],
    ['http://0x7f.0.0.1/', /loopback/],
    ['http://017700000001/', /loopback/],
    ['http://0/', /unspecified/],
    ['http://[::1]/', /loopback/],
    ['http://[::]/', /unspecified/],
    ['http://[::ffff:127.0.0.1]/', /loopback/],
    ['http://168.63.129.16/machine?comp=goalstate', /platform service/],
    ['http://[::ffff:168.63.129.16]:32526/', /platform service/],
    ['http://2822734096/', /platform service/],
    ['http://[fe80::1]/', /link-local/],
    ['http://169.254.169.254/latest/meta-data/', /link-local/],
    ['http://localhost:8081/', /this machine/],
    ['http://LOCALHOST./', /this machine/],
    ['http://admin.localhost/', /this machine/],
  ])('refuses %s', (url, reason) => {
    expect(rejectedTarget(url, false)).toMatch(reason);
  });

  it.each([
    'https://example.com/hooks?token=1',
    'http://10.0.0.5:9000/',
    'https://[2a00:1450::1]/',
    'http://build.internal/',
    'https://notlocalhost/',
  ])('takes %s', (url) => {
    expect(rejectedTarget(url, false)).toBeNull();
  });

  it('takes this machine where the option allows it, but still no other scheme and no password', () => {
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/']) {
      expect(rejectedTarget(url, true)).toBeNull();
    }
    expect(rejectedTarget('ftp://127.0.0.1/', true)).toMatch(/must begin with/);
    expect(rejectedTarget('http://a:b@127.0.0.1/', true)).toMatch(/password/);
  });
});

describe('lookUpAllowed', () => {
  it.each([true, false])('refuses a name that leads to this machine (all: %s)', async (all) => {
    const error = await new Promise((resolve) => lookUpAllowed('localhost', { all }, resolve));
    expect(error).toMatchObject({ code: 'target_refused' });
    expect(String(error)).toMatch(/localhost leads to .*loopback/);
  });

  it('gives an allowed address in the form that was asked for', async () => {
    const ask = (all: boolean): Promise<unknown[]> =>
      new Promise((resolve) => lookUpAllowed('10.1.2.3', { all }, (...given) => resolve(given)));
    expect(await ask(true)).toEqual([null, [{ address: '10.1.2.3', family: 4 }]]);
    expect(await ask(false)).toEqual([null, '10.1.2.3', 4]);
  });

  it('hands on that a name is not known', async () => {
    const error = await new Promise((resolve) => lookUpAllowed('name.invalid', {}, resolve));
    expect(error).toMatchObject({ syscall: 'getaddrinfo' });
  });
});
