/** The demo's requests as shell lines to paste: what a game client sends, with real keys and addresses. */

export interface CurlLine {
  /** What the line shows, for people. */
  readonly shows: string;
  readonly line: string;
}

// Two players whom the shop's mapping treats differently.
const newPlayer =
  '{"u":"ada","p":{"country":"DE","platform":"ios","daysSinceInstall":1,"totalSpend":0},"v":"2.1.0"}';
const whale =
  '{"u":"grace","p":{"country":"US","platform":"ios","daysSinceInstall":210,"totalSpend":340.5},"v":"2.1.0"}';
const oldClient = '{"u":"ada","p":{},"v":"1.9.3"}';

/** The lines for one key; `deliveryUrl` has no slash at its end. */
export function curlLines(deliveryUrl: string, key: string): readonly CurlLine[] {
  const api = `${deliveryUrl}/api/v1`;
  const headers = `-H 'X-Api-Key: ${key}' -H 'Content-Type: application/json'`;
  const post = (path: string, body: string): string =>
    `curl -sS -X POST '${api}${path}' ${headers} -d '${body}'`;
  const ids = encodeURIComponent('["features","events","no-such-content"]');
  return [
    { shows: 'One content, as it is', line: post('/config/features', newPlayer) },
    { shows: 'The shop of a new player', line: post('/config/shop/dynamic', newPlayer) },
    {
      shows: 'The same shop for somebody who spent a lot',
      line: post('/config/shop/dynamic', whale),
    },
    {
      shows: 'An older client gets the older line',
      line: post('/config/matchmaking/dynamic', oldClient),
    },
    {
      shows: 'Several contents in one call',
      line: post(`/combine/?c=${ids}&dynamic=true`, newPlayer),
    },
    { shows: 'What there is, with hashes', line: `curl -sS '${api}/env/catalog' ${headers}` },
  ];
}
