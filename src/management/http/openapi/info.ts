/** The parts of the admin API's OpenAPI document that are about all of it: title, introduction, groups. */

export const adminInfo = {
  title: 'Loadout admin API',
  version: 'v1',
  contact: { name: 'The operator of this server' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  description: `The console and the \`loadout\` command do everything through this API.

**Tokens.** Send \`Authorization: Bearer <token>\`. A viewer reads, an editor changes contents, segments and keys, an
owner does everything; each operation names the least role. A protected environment takes edits only from owners.

**Sessions** are for browsers: \`POST /admin/v1/session\` takes a token and sets a cookie, which counts where no token is
sent. Every request but a GET then needs \`X-Loadout-Console: 1\`, and a request that another page made the browser send is
rejected (403 \`cross_site\`). A session has the current rights of its token's user, and ends with the token. Where the server names an OpenID provider, \`/auth/oidc/start\` signs a
browser in through it.

**Edits are served at once.** The response to a change is sent when every delivery process serves it, and has its
\`sequence\`. A delivery request that sends the number as \`X-Min-Sequence\` never sees anything older. Where several servers
share a store, \`wait=fleet\` makes the response wait for all of them, up to 10 s; \`fleet\` names those that are missing.

**Problems** are RFC 9457 problem details (\`application/problem+json\`); programs act on \`code\`. Every operation lists its
codes. What is checked before the operation can respond as well: \`not_found\`, \`method_not_allowed\` (with \`Allow\`),
\`request_timeout\`, \`headers_too_large\`. Issues with the input say where they are, in fields.

**Values keep their bytes.** Texts, mappings, schemas and conditions are returned as they were sent: numbers, key order and
escapes are not rewritten. A client that parses and writes JSON with doubles loses digits that the server kept.`,
} as const;

/** In a good order for a first reading. */
export const adminTags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'environments', description: 'Separate sets of contents, each with its own keys.' },
  { name: 'keys', description: 'What game clients send as X-Api-Key; each reads one environment.' },
  {
    name: 'contents',
    description:
      'Named pieces of configuration. Each save is a numbered revision of the whole: its lines by app version, its mapping.',
  },
  { name: 'segments', description: 'Saved conditions, for mappings to use by name.' },
  {
    name: 'releases',
    description: 'Changes that are reviewed, scheduled, ramped, made live and reverted as one.',
  },
  {
    name: 'evaluate',
    description: 'What players receive, and why, before or after it is live.',
  },
  {
    name: 'search',
    description: 'Finds things by their name, and text in live and draft content.',
  },
  {
    name: 'experiments',
    description:
      'A/B tests with a plan: who was in, whether the split was fair, what the variants did; metrics, layers, and the events of players.',
  },
  { name: 'sync', description: 'Takes what is live in one environment to another.' },
  { name: 'transfer', description: 'Whole environments out and in, as NDJSON.' },
  { name: 'session', description: 'Signing in at the console, and out.' },
  { name: 'users', description: 'The people and machines that use this API, and their tokens.' },
  { name: 'audit', description: 'What was done, by which user, when and from where.' },
  {
    name: 'webhooks',
    description: 'Signed messages about events to other services (Standard Webhooks).',
  },
  { name: 'operations', description: 'The servers that share the store; backup and retention.' },
  { name: 'health', description: 'For monitoring. No token.' },
  { name: 'documents', description: 'OpenAPI, of this API and of delivery. No token.' },
];

/** Operations with a role take one or the other. */
export const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a user. The first start of the server makes one for the owner, and prints it on a terminal or writes it to the file `owner-token` of its data folder.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'loadout-<store>',
    description:
      "The session of the console, from `POST /admin/v1/session`. `<store>` is the beginning of the store's identity; " +
      'over https, `__Host-` stands before the name. Every request but a GET needs `X-Loadout-Console: 1` as well.',
  },
} as const;
