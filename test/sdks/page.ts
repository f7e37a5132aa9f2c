/** The page about SDKs in `docs/`: what the tests of this folder hold, as tables. */
import { Notes, table } from '../support/exceptions-table.js';
import { cases } from './cases.js';
import { type Sdk, sdks, untested } from './sdks.js';

/** A page beside this one, or a heading of it. */
function linkTo(page: string, text = `${page}.md`, heading = ''): string {
  return `[${text}](${page}.md${heading})`;
}

const introduction = `# The official SDKs

The SDKs of the original service, Joystick, speak the ${linkTo('delivery-api', 'delivery API')}. The suite \`sdks\` runs those below against a
server, as they come from the registry, and holds every cell of the table; it also writes this page.

## Leading an SDK to your server

The SDKs have their hosts built in: \`api.getjoystick.com\`, and \`capi.getjoystick.com\` for the call that writes. To lead them to your
server without a change to the SDK:

- **Serve these names yourself.** Let them resolve to your server (your DNS, or a hosts file), and start it with a certificate for
  them (\`--tls-cert\`, \`--tls-key\`) from an authority that the devices trust, such as one of your own.
- **Use an HTTPS proxy.** The suite does this: \`HTTPS_PROXY\` names a proxy that takes connections for these hosts to the server,
  which has such a certificate. The SDK still makes a TLS connection to the name that it knows.
- **Hand it a client of your own** that sends requests elsewhere, where the SDK accepts one.

| SDK | uses \`HTTPS_PROXY\` | trusts your authority by | accepts |
| --- | --- | --- | --- |
| JavaScript, on Node | yes | \`NODE_EXTRA_CA_CERTS\` | an \`apiClient\`, as a service of the constructor |
| Python | yes | \`SSL_CERT_FILE\` | – |
| Java | no; \`-Djdk.net.hosts.file\` names a hosts file | \`-Djavax.net.ssl.trustStore\` | – |
| PHP (not tried) | | | a PSR-18 client, by \`setHttpClient\` |
| C# (not tried) | | | an \`HttpClient\`, in the constructor |

A game that you ship to players has neither a proxy nor your authority. Use a ${linkTo('clients', 'client kit')}, or write a client as ${linkTo('own-client')} describes: it takes the
address of your server.
`;

/** @returns the page, in Markdown */
export function sdksPage(): string {
  const notes = new Notes();
  const rows = cases.map(({ name, except }) => [
    name,
    ...sdks.map((sdk) => notes.cell(except?.[sdk.name]?.why)),
  ]);
  return [
    introduction,
    '## What they do\n',
    table(['', ...sdks.map(heading)], rows),
    'A number leads to what the SDK does otherwise; it would with any server. These SDKs have no call for the catalog.\n',
    notes.list(),
    `Publishing is refused on purpose: a key ships with the game, so it only reads (${linkTo('clients', 'what to use instead', '#the-official-sdks')}).\n`,
    '## Not in the suite\n',
    'No registry that the suite reaches has these SDKs. They are an open item.\n',
    untested.map(({ name, tried }) => `- **${name}.** ${tried}`).join('\n'),
    '',
  ].join('\n');
}

function heading({ name, packageName, version }: Sdk): string {
  return `${name}: \`${packageName}\` ${version}`;
}
