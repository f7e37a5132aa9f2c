/** What every SDK is asked, and what its user gets. */
import { xxh32 } from '../support/xxhash.js';
import type { Call, ClientOptions } from './driver.js';
import { greeting, guildHash, shopHash } from './game.js';
import type { SdkName } from './sdks.js';

type Expected = { readonly value: unknown } | { readonly error: string; readonly message: RegExp };

export interface SdkCase {
  readonly name: string;
  /** Options beside the key of the environment, or with another one. */
  readonly client?: Partial<ClientOptions>;
  readonly call: Call;
  readonly expected: Expected;
  /** SDKs that do otherwise with any server, and what their users see. */
  readonly except?: Partial<Record<SdkName, { readonly why: string; readonly expected: Expected }>>;
}

const whale = { userId: 'a', params: { spent: 500 } };
const wholeShop = {
  data: { price: 2.5, items: [] },
  hash: shopHash,
  meta: {
    uid: xxh32('a'),
    mod: 110,
    seg: [
      { n: 'whales', v: null, i: 'promo' },
      { n: 'test', v: 'high' },
    ],
  },
};

export const cases: readonly SdkCase[] = [
  {
    name: 'one content',
    call: { method: 'one', id: 'motd' },
    expected: { value: 'hello' },
  },
  {
    name: 'several contents, without their comments',
    client: { userId: 'a' },
    call: { method: 'several', ids: ['Shop', 'motd', 'levels'] },
    expected: { value: { Shop: { price: 1.5, items: [] }, motd: 'hello', levels: { line: 2 } } },
  },
  {
    name: 'ids in another case, answered as they were asked',
    call: { method: 'several', ids: ['MOTD', 'Greeting'] },
    expected: { value: { MOTD: 'hello', Greeting: greeting } },
  },
  {
    name: '`u` and `p`: the segment and the variant of a player',
    client: whale,
    call: { method: 'one', id: 'Shop' },
    expected: { value: wholeShop.data },
  },
  {
    name: 'the full response: `data`, `hash` and `meta`',
    client: whale,
    call: { method: 'one', id: 'Shop', options: { fullResponse: true } },
    expected: { value: wholeShop },
  },
  {
    name: 'serialized',
    call: { method: 'several', ids: ['levels', 'motd'], options: { serialized: true } },
    expected: { value: { levels: '{"line":2}', motd: '"hello"' } },
  },
  {
    name: 'the full response, serialized',
    client: whale,
    call: { method: 'one', id: 'Shop', options: { fullResponse: true, serialized: true } },
    expected: { value: { ...wholeShop, data: '{"price":2.5,"items":[]}' } },
  },
  {
    name: '`v`: the line of an earlier app version',
    client: { semVer: '1.5.0' },
    call: { method: 'one', id: 'levels' },
    expected: { value: { line: 1 } },
  },
  {
    name: '`v`: the newest line',
    client: { semVer: '2.0.0' },
    call: { method: 'one', id: 'levels' },
    expected: { value: { line: 2 } },
  },
  {
    name: 'Unicode in a content',
    call: { method: 'one', id: 'greeting' },
    expected: { value: greeting },
  },
  {
    name: 'Unicode in `u` and `p`',
    client: { userId: 'Zoë 🗡', params: { guild: 'Zoë 🗡' } },
    call: { method: 'one', id: 'guild', options: { fullResponse: true } },
    expected: {
      value: {
        data: { name: 'Zoë 🗡' },
        hash: guildHash,
        meta: { uid: xxh32('Zoë 🗡'), mod: xxh32('Zoë 🗡') % 1000, seg: [{ n: 'zoe', v: null }] },
      },
    },
  },
  {
    name: 'a content that is `null`',
    call: { method: 'one', id: 'nothing' },
    expected: { value: null },
    except: {
      Python: {
        why: '`get_content` raises `MultipleContentsApiError` for `null`; `get_contents` returns it.',
        expected: { error: 'contents', message: /nothing/ },
      },
    },
  },
  {
    name: 'a content that does not exist, beside one that does',
    call: { method: 'several', ids: ['motd', 'none'] },
    expected: { error: 'contents', message: /Error 404, .*\bnone\b/ },
  },
  {
    name: 'a content without a line for the app version',
    client: { semVer: '0.1.0' },
    call: { method: 'one', id: 'levels' },
    expected: { error: 'contents', message: /Error 404, .*\blevels\b/ },
  },
  {
    name: 'a wrong key (401)',
    client: { apiKey: 'nobody' },
    call: { method: 'one', id: 'motd' },
    expected: { error: 'request', message: /\b401\b/ },
  },
  {
    name: 'a body that is too large (413)',
    client: { params: { bag: 'x'.repeat(2 ** 16) } },
    call: { method: 'one', id: 'motd' },
    expected: { error: 'request', message: /\b413\b/ },
  },
  {
    name: 'publishing with the key of a game, which is refused (405)',
    call: { method: 'publish', id: 'Shop' },
    expected: { error: 'request', message: /\b405\b/ },
  },
];

/** What the SDK is expected to do. */
export function expectedOf({ expected, except }: SdkCase, name: SdkName): Expected {
  return except?.[name]?.expected ?? expected;
}
