/** Which of the addresses that a server knows of is the one for whoever looks at this page. */

const defaultPort = 8080;

/** The one on the host by which this page was reached: 127.0.0.1 is somebody else on another machine. */
export function chooseAddress(urls: readonly string[], hostname: string): string {
  const known = urls.filter((url) => URL.canParse(url));
  const found = known.find((url) => new URL(url).hostname === hostname) ?? known[0];
  return found ?? `http://${hostname}:${defaultPort}`;
}
