/** Tells which network a client is in: the players of one address, or of one customer's IPv6 prefix, share its limit. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [address: Address, bits: number];

/** Bits of the prefix that counts as one client: what a provider gives to one customer or, in IPv4, to one place. */
const bits4 = 24;
const bits6 = 48;

/** Forwarded addresses of one request that are looked at, from the nearest proxy on. */
const forwardedMax = 32;

export class ClientNetworks {
  readonly #trusted: readonly Range[];

  /** @param trusted proxies whose X-Forwarded-For counts: addresses, or networks such as 10.0.0.0/8 */
  constructor(trusted: readonly string[]) {
    this.#trusted = trusted.map(rangeOf);
  }

  /** Whether X-Forwarded-For can matter at all. */
  get readsForwarded(): boolean {
    return this.#trusted.length > 0;
  }

  /**
   * The network of a client, such as `203.0.113.0/24`. Behind trusted proxies the client is the nearest address that is
   * none of them: whatever stands further ahead in X-Forwarded-For the client may have written itself.
   * @param peer address of the connection
   * @param forwarded value of X-Forwarded-For; '' for none
   */
  of(peer: string, forwarded: string): string {
    let client = addressOf(peer);
    if (client === null) return peer;
    const hops = forwarded === '' ? [] : forwarded.split(',');
    const first = Math.max(0, hops.length - forwardedMax);
    for (let at = hops.length - 1; at >= first && this.#isTrusted(client); at -= 1) {
      const hop = addressOf(withoutPort((hops[at] as string).trim()));
      if (hop === null) break;
      client = hop;
    }
    return networkOf(client);
  }

  #isTrusted(address: Address): boolean {
    return this.#trusted.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}

/** An IPv4 address that is written as IPv6 counts as IPv4. */
function addressOf(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

const withPort = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/** Some proxies write `203.0.113.7:51234` and `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  const match = withPort.exec(hop);
  return match === null ? hop : (match[1] ?? match[2] ?? '');
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function networkOf(address: Address): string {
  const bits = address.kind() === 'ipv4' ? bits4 : bits6;
  const bytes = address.toByteArray().map((byte, at) => (at < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
