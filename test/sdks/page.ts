/** The page about SDKs in `docs/`: what the tests of this folder hold, as tables. */
import { cases } from './cases.js';
import { type Sdk, sdks, untested } from './sdks.js';

const introduction = `# The official SDKs

The SDKs of the original service, Joystick, speak the [delivery API](delivery-api.md). The suite \`sdks\` runs those below against a
server, as they come from the registry, and holds every cell of the table; it also writes this page.

## Leading an SDK to your server

The SDKs have their hosts built in: \`api.getjoystick.com\`, and \`capi.getjoystick.com\` for the call that writes. None has an option
for another host. Without a change to an SDK:

- **Serve these names yourself.** Let them resolve to your server (your DNS, or a hosts file), and start it with a certificate for
  them (\`--tls-cert\`, \`--tls-key\`) from an authority that the devices trust, such as one of your own.
- **Use an HTTPS proxy.** The suite does this: \`HTTPS_PROXY\` names a proxy that takes connections for these hosts to the server,
  which has such a certificate. The SDK still makes a TLS connection to the name it knows.

| SDK | to use the proxy | to trust your authority |
| --- | --- | --- |
| JavaScript, on Node | \`HTTPS_PROXY\` | \`NODE_EXTRA_CA_CERTS\` names its certificate |
| Python | \`HTTPS_PROXY\` | \`SSL_CERT_FILE\` names its certificate |

In a game that you ship, neither is at hand: a client of your own, as [clients.md](clients.md) describes, takes the address of your
server. Some SDKs accept a replacement of the part that sends requests, for instance the JavaScript SDK as \`apiClient\`.
`;

/** @returns the page, in Markdown */
export function sdksPage(): string {
  const notes: string[] = [];
  const rows = cases.map(({ name, except }) => [
    name,
    ...sdks.map((sdk) => cell(notes, except?.[sdk.name]?.why)),
  ]);
  return [
    introduction,
    '## What they do\n',
    table(['', ...sdks.map(heading)], rows),
    'A number leads to what the SDK does otherwise; it would with any server. These SDKs have no call for the catalog.\n',
    `${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`,
    'The call that publishes is refused on purpose: a key ships with the game, so it only reads ([why](clients.md#the-official-sdks)).\n',
    '## Not tested\n',
    'No registry that the suite reaches has these SDKs:\n',
    untested.map(({ name, tried }) => `- **${name}.** ${tried}`).join('\n'),
    '',
  ].join('\n');
}

function heading({ name, packageName, version }: Sdk): string {
  return `${name}: \`${packageName}\` ${version}`;
}

function cell(notes: string[], why: string | undefined): string {
  if (why === undefined) return 'yes';
  if (!notes.includes(why)) notes.push(why);
  return String(notes.indexOf(why) + 1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[head, head.map(() => '---'), ...rows].map(line).join('\n')}\n`;
}
