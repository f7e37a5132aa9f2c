/** Network addresses of clients: their written form, and which of them count as one. */
import ipaddr from 'ipaddr.js';

/** A client with one IPv6 address commonly has the 2^64 of its network. */
const hostParts = 4;

/** The longest address there is, with a zone; a proxy that is believed may name anything. */
const addressCharsMax = 64;

/**
 * An IPv4 address as such, also when a port on `::` sees it as one of IPv6.
 * @param address undefined when the connection has ended meanwhile (Fastify's types do not say so); '' is returned
 */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return '';
  if (!ipaddr.isValid(address)) return address.slice(0, addressCharsMax);
  return ipaddr.process(address).toString();
}

/** An IPv4 address as it is; of an IPv6 address its /64; '' as above. */
export function addressRange(address: string | undefined): string {
  if (address === undefined) return '';
  if (!ipaddr.isValid(address)) return address.slice(0, addressCharsMax);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, hostParts).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
