/** Addresses to listen on, as people and URLs have them. */

/** Whether it stands for every address of the machine. */
export function isAnyHost(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** A host as it stands in a URL. */
export function shownHost(host: string): string {
  if (isAnyHost(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
