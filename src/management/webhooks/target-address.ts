/**
 * Which addresses a webhook may reach (D24). Not this machine nor its link: what listens there trusts every client that can connect.
 * Private networks are allowed: a studio's chat bridge and build server are there, and only owners make webhooks.
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Ranges that a message may be sent to; every other one is rejected, whatever it is called. */
const allowedRanges = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Where clouds provide a machine with its own credentials and settings, as far as the ranges above would allow it. Most
 * of these services are link-local as well, or in 192.0.0.0/24 (Oracle's older one), which is rejected as a range.
 */
const platformServices = [
  '168.63.129.16/32', // Azure WireServer: certificates and settings of the machine's extensions
  '100.100.100.200/32', // Alibaba
  'fd00:ec2::/32', // AWS: metadata, pod identity, DNS, time
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
  'fd20:ce::254/128', // Google
].map((cidr) => ipaddr.parseCIDR(cidr));

/** IPv6 addresses that carry an IPv4 one in their last four bytes, which is where the message would arrive. */
const carriers = [
  ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), // IPv4-mapped
  ipaddr.IPv6.parseCIDR('64:ff9b::/96'), // NAT64
  ipaddr.IPv6.parseCIDR('::/96'), // IPv4-compatible, long deprecated; :: and ::1 are in it and rejected as well
] as const;

/** The webhook names, or its name leads to, an address that is not allowed. */
export class TargetRejected extends Error {
  readonly code = 'target_refused';

  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/**
 * Why nothing is sent to an address, in words that follow it; null: it is allowed.
 * @param text an IPv4 or IPv6 address
 */
export function rejectedAddress(text: string): string | null {
  if (!ipaddr.isValid(text)) return 'is not an address';
  const address = carriedAddress(ipaddr.parse(text));
  if (isPlatformService(address)) return 'is a platform service of a cloud';
  const range = address.range();
  return allowedRanges.has(range) ? null : `is ${rangeNames[range] ?? 'a reserved address'}`;
}

const rangeNames: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  linkLocal: 'a link-local address',
  unspecified: 'the unspecified address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
};

function isPlatformService(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return platformServices.some(([net, bits]) => {
    return address.kind() === net.kind() && address.match(net, bits);
  });
}

function carriedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4' || address.range() === 'loopback') return address;
  if (address.range() === 'unspecified') return address;
  const carries = carriers.some((carrier) => address.match(carrier));
  return carries ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

/**
 * Why a URL cannot be a webhook's, in words that follow its name; null: it can. A name is looked up only when
 * something is sent to it, every time.
 */
export function rejectedTarget(text: string, toLocal: boolean): string | null {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') {
    return 'must not carry a user name or password: the receiver checks the signature';
  }
  if (url.hash !== '') return 'must not have a fragment';
  // As webhooks of chats are listed: sent back, it would replace the URL.
  if (url.pathname === '/%E2%80%A6') return 'is shortened: give it whole, or leave it out';
  if (toLocal) return null;
  const host = bareHost(url);
  if (localNames.test(host)) return 'names this machine, to which nothing is sent';
  if (!ipaddr.isValid(host)) return null;
  const rejected = rejectedAddress(host);
  return rejected === null ? null : `${rejected}, to which nothing is sent`;
}

const localNames = /^(.+\.)?localhost\.?$/i;

/** Of IPv6, without its brackets. */
export function bareHost(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Looks a name up for `net.connect`, which then connects to the very addresses that were checked: a name that
 * resolves differently the next time gains nothing. One address that is not allowed rejects the name.
 */
export const lookUpAllowed: LookupFunction = (hostname, options, done) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      done(error, []);
      return;
    }
    for (const { address } of addresses) {
      const rejected = rejectedAddress(address);
      if (rejected === null) continue;
      done(new TargetRejected(`${hostname} leads to ${address}, which ${rejected}.`), []);
      return;
    }
    const [first] = addresses;
    // net.connect would throw, where nothing catches it, for an empty list.
    if (first === undefined) done(new TargetRejected(`${hostname} leads nowhere.`), []);
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
