/**
 * Goal: whatever a client or an author of rules can meet is found by its word in the documents.
 * Method: a list of terms, of which operators, members, problem codes and limits come from the code itself, so that a
 * new one without documentation fails, and a limit cannot differ from what its page says.
 */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { withServeOptions } from '../../../../src/command/server/serve-options.js';
import { bucketCount } from '../../../../src/content/bucket.js';
import {
  callerReaders,
  operatorNames,
} from '../../../../src/content/condition/condition-grammar.js';
import * as condition from '../../../../src/content/condition/condition-limits.js';
import { contentIdLengthMax } from '../../../../src/content/content-id.js';
import { evaluationWorkMax } from '../../../../src/content/evaluation-work.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import * as mapping from '../../../../src/content/mapping/mapping-limits.js';
import {
  mutatedBytesMax,
  mutatedLevelsMax,
} from '../../../../src/content/mutation/splice-limits.js';
import { parseVersion } from '../../../../src/content/version.js';
import {
  layerNameCharsMax,
  layersMax,
  linesMax,
  mappingBytesMax,
  segmentBytesMax,
} from '../../../../src/contract/limits.js';
import * as delivery from '../../../../src/delivery/limits.js';
import { problems } from '../../../../src/delivery/problems.js';
import { defaultLimits } from '../../../../src/management/limits/bodies.js';
import { readDocument, readTables } from './markdown-table.js';

const targeting = readDocument('docs/targeting.md');
const api = readDocument('docs/delivery-api.md');
const clients = readDocument('docs/own-client.md');
const all = [readDocument('docs/README.md'), targeting, api, clients].join('\n');

const KiB = 1024;
const bytes = (value: number): string =>
  value >= KiB * KiB ? `${value / KiB / KiB} MiB` : `${value / KiB} KiB`;
const seconds = (ms: number): string => `${ms / 1_000} s`;
const count = (value: number): string => value.toLocaleString('en-US');

/** By the page that has the row, and the words that the row begins with. */
const limits: readonly (readonly [page: string, what: string, value: string, option?: string])[] = [
  [targeting, 'bytes of a mapping', bytes(mappingBytesMax)],
  [targeting, 'bytes of a saved condition', bytes(segmentBytesMax)],
  [targeting, 'rules of a mapping', count(mapping.mappingRulesMax)],
  [targeting, 'variants of a rule', count(mapping.ruleVariantsMax)],
  [targeting, 'buckets', count(bucketCount)],
  [targeting, "characters of a segment's or variant's name", count(mapping.nameLengthMax)],
  [targeting, 'characters of `info`', count(mapping.infoLengthMax)],
  [targeting, 'characters of a `salt`', count(mapping.saltLengthMax)],
  [targeting, 'layers of an environment', count(layersMax)],
  [targeting, "characters of a layer's name", count(layerNameCharsMax)],
  [targeting, 'levels of a mapping', count(mapping.mappingLevelsMax)],
  [targeting, 'levels of a change, its place included', count(mutatedLevelsMax)],
  [targeting, 'bytes that changes may make of a document', bytes(mutatedBytesMax)],
  [targeting, 'levels of a condition', count(condition.conditionLevelsMax)],
  [
    targeting,
    'JSON values in a condition, list entries included',
    count(condition.conditionValuesMax),
  ],
  [targeting, 'comparisons in a condition', count(condition.conditionTestsMax)],
  [targeting, 'characters of an attribute path', count(condition.conditionPathLengthMax)],
  [targeting, 'regular expressions in a condition', count(condition.conditionPatternsMax)],
  [targeting, 'characters of a pattern', count(condition.patternLengthMax)],
  [targeting, 'compiled steps of a pattern', count(condition.patternProgramMax)],
  [targeting, 'estimated work of all rules for one request, nanoseconds', count(evaluationWorkMax)],
  [api, 'request body', bytes(delivery.bodyBytesMaxDefault), '--body-bytes-max'],
  [
    api,
    'content ids of one combine call, each counted once',
    count(delivery.idsMaxDefault),
    '--ids-max',
  ],
  [api, 'spellings of those ids, as a multiple of them', count(delivery.spellingsPerIdMax)],
  [
    api,
    'combined response of more than one entry',
    bytes(delivery.combineBytesMaxDefault),
    '--combine-bytes-max',
  ],
  [
    api,
    'request body of a refresh or stream',
    bytes(delivery.refreshBodyBytesMaxDefault),
    '--refresh-bytes-max',
  ],
  [api, 'entries of `have` and `ids` together', count(delivery.refreshEntriesMax)],
  [
    api,
    'bytes of entries in one response to a refresh, of more than one',
    `${bytes(delivery.refreshBytesDefault)}, or \`bytesMax\` up to ${bytes(delivery.refreshBytesHighest)}`,
  ],
  [
    api,
    'open streams of one client network, for each delivery process',
    count(delivery.streamsPerAddressDefault),
    '--streams-per-address',
  ],
  [api, 'open streams of one key, for each delivery process', 'none', '--streams-per-key'],
  [
    api,
    'receipts of one client network (IPv4 /24, IPv6 /48), for each delivery process',
    `${count(delivery.receiptsBurstMax)} at once, ${count(delivery.receiptsPerSecondMax)} per second`,
  ],
  [
    api,
    'receipts of one key, for each delivery process',
    `${count(delivery.receiptsPerKeyBurstMax)} at once, ${count(delivery.receiptsPerKeyPerSecondMax)} per second`,
  ],
  [api, 'request body with events', bytes(delivery.eventsBodyBytesMax)],
  [
    api,
    'requests with events of one client network, for each delivery process; not with an events key',
    `${count(delivery.eventsBurstMax)} at once, ${count(delivery.eventsPerSecondMax)} per second`,
  ],
  [
    api,
    'requests with events of one key, for each delivery process',
    `${count(delivery.eventsPerKeyBurstMax)} at once, ${count(delivery.eventsPerKeyPerSecondMax)} per second`,
  ],
  [
    api,
    'events of one user, for each delivery process; not with an events key',
    `${count(delivery.eventsPerUserBurstMax)} at once, ${count(delivery.eventsPerUserPerSecondMax)} per second`,
  ],
  [
    api,
    'events that wait to be written, for each delivery process',
    bytes(delivery.eventQueueBytesMax),
  ],
  [
    api,
    'open streams of each delivery process',
    `all of its descriptors but a tenth, which is ${count(delivery.streamsReservedMin)} to ${count(delivery.streamsReservedMax)}`,
    '--streams-max',
  ],
  [api, 'requests per second of one key, for each delivery process', 'none', '--key-rate-max'],
  [api, 'time for a body to arrive after its head', seconds(delivery.bodyMsMax)],
  [
    api,
    `average speed of a longer body, beyond its first ${bytes(delivery.bodyBytesMaxDefault)} and those ${seconds(delivery.bodyMsMax)}`,
    `${bytes(delivery.bodyBytesPerSecondMin)}/s`,
  ],
  [
    api,
    'members and elements in a body longer than `--body-bytes-max`',
    count(delivery.longBodyValuesMax),
  ],
  [api, 'connection without traffic', `${delivery.clientIdleSecondsMax} s`],
  [api, 'wait for `X-Min-Sequence`', seconds(delivery.sequenceWaitMsMax)],
  [api, 'wait for a body to be rendered', seconds(delivery.renderWaitMsMax)],
  [
    api,
    `average reading speed of a response, after ${seconds(delivery.readGraceMs)}`,
    `${bytes(delivery.readBytesPerSecondMin)}/s`,
  ],
  [api, 'responses smaller than this are not compressed', bytes(delivery.gzipBytesMin)],
  [api, 'characters of a content id', count(contentIdLengthMax)],
  [api, 'characters of an API key', count(delivery.keyCharactersMax)],
  [api, 'digits of each part of `v`', count(versionDigitsMax())],
  [api, 'stored text', bytes(defaultLimits.textBytesMax), '--text-bytes-max'],
  [api, 'levels of a stored text', count(defaultLimits.textLevelsMax), '--text-levels-max'],
  [api, 'version lines of a content item', count(linesMax)],
];

function versionDigitsMax(): number {
  let digits = 1;
  while (parseVersion(`1.1.${'1'.repeat(digits + 1)}`) !== null) digits += 1;
  return digits;
}

/** What a rule or a variant may have, as the kernel says it when it meets something else. */
function membersOf(rules: unknown): string[] {
  const read = parseMapping(Buffer.from(JSON.stringify(rules)));
  const said = read.ok ? '' : (read.issues[0]?.message ?? '');
  return said.replace(/^.*the members are /, '').split(', ');
}

const ruleMembers = membersOf([{ segment: 's', when: {}, unheard: 1 }]);
const variantMembers = membersOf([
  { segment: 's', variants: [{ name: 'a', groups: [0, 1], unheard: 1 }] },
]);

const headers = [
  'X-Api-Key',
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Accept-Encoding',
  'Transfer-Encoding',
  'If-None-Match',
  'ETag',
  'X-Min-Sequence',
  'X-Sequence',
  'Retry-After',
  'Allow',
  'Origin',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];
const parameters = ['c', 'dynamic', 'responseType', 'serialized', 'dynamic=true'];
const context = ['u', 'p', 'v'];
const response = ['data', 'hash', 'meta.uid', 'meta.mod', 'meta.seg', 'seg[].n', 'seg[].v'];
const catalog = ['seg[].i', 'h', 'd', 'd: true', 'Error 404, '];
const patchOperations = ['add', 'remove', 'replace', 'move', 'copy', 'test'];
const options = ['--lenient-catalog', '--cors-origins', '--tls-cert', '--tls-key', '--port'];
const elsewhere = [
  'loadout_rules_missed_total',
  'loadout_utc_offset_missing_total',
  'GET /healthz',
  '/openapi-delivery.json',
  'OPTIONS',
];
const codes = [...new Set(Object.values(problems).map(({ code }) => code))];
const metaNames = [...callerReaders.keys()];

const terms = [
  ...[...operatorNames, ...metaNames, ...ruleMembers, ...variantMembers, ...patchOperations],
  ...[...headers, ...parameters, ...context, ...response, ...catalog, ...codes, ...elsewhere],
  ...[...options, ...limits.flatMap(([, , , option]) => option ?? [])],
];

it('at least 120 terms are looked for', () => {
  expect(new Set([...terms, ...limits.map(([, what]) => what)]).size).toBeGreaterThanOrEqual(120);
});

it.each([...new Set(terms)])('the documents have the term %s', (term) => {
  // As code, alone or at the beginning of more: `"$gte": 10`, `Retry-After`, `PUT`.
  expect(new RegExp(`\`"?${escaped(term)}(?![\\w-])`).test(all)).toBe(true);
});

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('docs/targeting.md', () => {
  it('has every operator in a table, and an example that is evaluated', () => {
    const examples = readTables(targeting, 'conditions').map((row) => row['condition'] ?? '');
    for (const name of operatorNames) {
      expect(targeting, name).toMatch(new RegExp(`^\\| [^|]*\`${escaped(name)}\``, 'm'));
      expect(
        examples.filter((example) => example.includes(`"${name}":`)).length,
        name,
      ).toBeGreaterThan(0);
    }
  });

  it('names no operator that there is not', () => {
    const named = [...targeting.matchAll(/`(\$\w+)`/g)].map(([, name]) => name ?? '');
    const unknown = [...new Set(named)].filter((name) => !operatorNames.has(name));
    // Two that are mentioned because they are not there, and the anchor of patterns.
    expect(unknown).toEqual(['$inGroup']);
  });

  it('explains every member of a rule and of a variant', () => {
    const explained = [...targeting.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(ruleMembers.length).toBeGreaterThan(9);
    expect([...ruleMembers, ...variantMembers].filter((name) => !explained.includes(name))).toEqual(
      [],
    );
  });
});

describe('docs/delivery-api.md', () => {
  it('has every problem code in the table of errors, with its status and no other', () => {
    const rows = [...api.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => {
      return `${status} ${code}`;
    });
    const real = Object.values(problems).map(({ status, code }) => `${status} ${code}`);
    expect([...new Set(rows)].sort()).toEqual([...new Set(real)].sort());
    expect(rows.length).toBe(new Set(rows).size);
  });
});

describe('the limits', () => {
  for (const [page, what, value, option] of limits) {
    it(`say what the code has: ${what}`, () => {
      const row = page.split('\n').find((line) => line.startsWith(`| ${what} |`));
      const cells = (row ?? '').split('|').map((cell) => cell.trim());
      expect(cells[2]).toBe(value);
      if (option !== undefined) expect(cells[3]).toBe(`\`${option}\``);
    });
  }

  it('have no row that is not looked at', () => {
    const looked = limits.map(([, what]) => what);
    const rows = [targeting, api].flatMap((page) => {
      const [, section = ''] = page.split('\n## Limits\n');
      const [table = ''] = section.split('\n## ');
      return [...table.matchAll(/^\| (?!what|---)([^|]+) \|/gm)].map(([, what]) => what ?? '');
    });
    // These are built into the HTTP parser; test/hostile holds the port to them.
    const ofParser = ['request line and headers', 'number of headers'];
    expect(rows.filter((what) => !looked.includes(what))).toEqual(ofParser);
  });
});

it('every option that the documents name is one of `serve`, or is named with its command', () => {
  const command = withServeOptions(new Command(), {
    ...{ host: '', data: './data', logLevel: 'info', webhooksToLocal: false },
  });
  const real = command.options.map(({ long }) => long ?? '');
  const ofOtherCommands = ['--dry-run', '--mapping', '--at'];
  const named = new Set(
    [api, targeting, clients].flatMap((page) => page.match(/`--[a-z-]+/g) ?? []),
  );
  const unknown = [...named].map((name) => name.slice(1)).filter((name) => !real.includes(name));
  expect(unknown.filter((name) => !ofOtherCommands.includes(name))).toEqual([]);
});
