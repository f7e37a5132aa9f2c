/** The words of the admin API's OpenAPI document that are about all of it: title, introduction, groups. */

export const adminInfo = {
  title: 'Loadout admin API',
  version: 'v1',
  contact: { name: 'The operator of this server' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  description: `Everything the console and the \`loadout\` command do is done over this API.

**Tokens.** Send \`Authorization: Bearer <token>\`. A viewer reads, an editor changes contents, segments and keys, an
owner everything; each operation names the least role. A protected environment takes edits only from owners.

**Sessions** are for browsers: \`POST /admin/v1/session\` takes a token and sets a cookie, which counts where no token is
sent. Then everything but a GET wants \`X-Loadout-Console: 1\`, and nothing is answered that another page made the browser
send (403 \`cross_site\`). A session has the rights of its token's user at the time, and ends with the token.

**Edits are served at once.** A call that changes something answers when every listener serves the change, with its
\`sequence\`. A delivery request that sends the number as \`X-Min-Sequence\` never sees anything older. Where several servers
share a store, \`wait=fleet\` makes the call wait for all of them, up to 10 s; \`fleet\` names those that did not take it over.

**Refusals** are problem details (RFC 9457, \`application/problem+json\`); programs decide by \`code\`. Every operation lists
its codes. Any of them may also be answered by what comes before it: \`not_found\`, \`method_not_allowed\` (with \`Allow\`),
\`request_timeout\`, \`headers_too_large\`.

**Values keep their bytes.** Texts, mappings, schemas and conditions come back as they were sent: numbers, key order and
escapes are not rewritten. A client that parses and writes JSON with doubles loses digits that the server kept.`,
} as const;

/** In the order in which somebody new would read them. */
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
    name: 'evaluate',
    description: 'What callers are answered, and why, before or after it is live.',
  },
  { name: 'sync', description: 'Takes what is live in one environment to another.' },
  { name: 'transfer', description: 'Whole environments out and in, as NDJSON.' },
  { name: 'session', description: 'Signing in at the console, and out.' },
  { name: 'users', description: 'Those who use this API, and their tokens.' },
  { name: 'audit', description: 'Who did what, when and from where.' },
  {
    name: 'webhooks',
    description: 'Tells other services what happened; signed as Standard Webhooks.',
  },
  { name: 'operations', description: 'The servers that share the store; backup and retention.' },
  { name: 'health', description: 'For those who watch the server. No token.' },
  { name: 'documents', description: 'OpenAPI, of this API and of delivery. No token.' },
];

/** How operations with a role are called: by one or the other. */
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
      'over https, `__Host-` stands before the name. What is not a GET wants `X-Loadout-Console: 1` as well.',
  },
} as const;
