/** Where delivery is reached, as seen by the reader of the documents. */

const defaultOrigin = 'http://127.0.0.1:8080';
// A Host header goes into a policy and a page: nothing but a name or an address may.
const hostName = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])$/i;

/**
 * The origin that the server prints, and the same port on the host by which the reader reached the admin port:
 * behind a tunnel or from another machine, 127.0.0.1 is another machine.
 * @param deliveryUrl null: not known
 * @param readerHost host of the reader's request, without its port
 */
export function deliveryOrigins(deliveryUrl: string | null, readerHost: string): readonly string[] {
  const printed = new URL(deliveryUrl ?? defaultOrigin);
  const origins = new Set([printed.origin]);
  if (hostName.test(readerHost)) {
    const seen = new URL(printed);
    seen.hostname = readerHost;
    origins.add(seen.origin);
  }
  return [...origins];
}
