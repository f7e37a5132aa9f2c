/** Which of the delivery addresses that a server knows is right for the viewer of this page. */

const defaultPort = 8080;

/** The address on the host that served this page: 127.0.0.1 is another machine elsewhere. */
export function chooseAddress(urls: readonly string[], hostname: string): string {
  const known = urls.filter((url) => URL.canParse(url));
  const found = known.find((url) => new URL(url).hostname === hostname) ?? known[0];
  return found ?? `http://${hostname}:${defaultPort}`;
}
