/**
 * Requests that HTTP/1.1 forbids, or that two parsers read differently, as the bytes of the wire; and what the delivery
 * port promises of each. Where a request has a second one hidden in what one reading takes for its body, that asks for a
 * content whose text is `hiddenText`: seen in an answer, it was run.
 */
import type { Environment } from '../server/environment.js';

export const hiddenText = 'smuggled';

export const Promised = {
  /** No success: an answer of 400 or above, or none. And the connection ends. */
  Refused: 'refused',
  /** One success or one refusal: both readings are the same request. */
  Either: 'either',
} as const;
export type Promised = (typeof Promised)[keyof typeof Promised];

export interface MalformedRequest {
  readonly name: string;
  readonly bytes: Buffer;
  readonly promised: Promised;
}

export async function putHidden(game: Environment): Promise<void> {
  await game.put('shop', '{"price":1}');
  await game.put('hidden', JSON.stringify(hiddenText));
}

export function malformedRequests(game: Environment): MalformedRequest[] {
  const key = `X-Api-Key: ${game.key}`;
  const usual = ['Host: 127.0.0.1', key, 'Content-Type: application/json'];
  const line = 'POST /api/v1/config/shop HTTP/1.1';
  const hidden = lines(
    'POST /api/v1/config/hidden HTTP/1.1',
    ...usual,
    'Content-Length: 2',
    '',
    '{}',
  );
  const inChunk = chunk(hidden);

  const cases: MalformedRequest[] = [];
  const add = (promised: Promised, name: string, bytes: string | Buffer): void => {
    cases.push({ name, bytes: Buffer.from(bytes as string, 'latin1'), promised });
  };
  const refused = (name: string, bytes: string): void => add(Promised.Refused, name, bytes);
  const either = (name: string, bytes: string): void => add(Promised.Either, name, bytes);
  /** With these headers beside the usual ones, and this body. */
  const post = (headers: readonly string[], body: string): string => {
    return `${lines(line, ...usual, ...headers, '')}${body}`;
  };
  const long = `{}${hidden}`;
  const length = (bytes: string | number) => `Content-Length: ${bytes}`;
  const chunked = 'Transfer-Encoding: chunked';

  // Lengths.
  refused('two Content-Length, the first shorter', post([length(2), length(long.length)], long));
  refused('two Content-Length, the second shorter', post([length(long.length), length(2)], long));
  either('Content-Length twice, equal', post([length(2), length(2)], '{}'));
  refused('Content-Length: a list of two', post([length(`2, ${long.length}`)], long));
  either('Content-Length: a list of equals', post([length('2, 2')], '{}'));
  refused('Content-Length: +2', post([length('+2')], long));
  refused('Content-Length: -2', post([length('-2')], long));
  refused('Content-Length: 0x2', post([length('0x2')], long));
  refused('Content-Length: 2 2', post([length('2 2')], long));
  refused('Content-Length: 2;', post([length('2;')], long));
  refused('Content-Length: empty', post(['Content-Length:'], long));
  refused('Content-Length: 20 digits', post([length('1'.repeat(20))], long));
  refused('Content-Length: 2^64 + 2', post([length('18446744073709551618')], long));
  either('Content-Length: 0002', post([length('0002')], '{}'));

  // Framing by both, and codings.
  refused('Content-Length and chunked', post([length(2), chunked], `${chunk('{}')}${end}`));
  refused('chunked and Content-Length', post([chunked, length(2)], `${chunk('{}')}${end}`));
  refused(
    'Content-Length 4 and chunked with a hidden request',
    post([length(4), chunked], `${end}${hidden}`),
  );
  refused(
    'chunked, length covers a hidden request',
    post([chunked, length(5 + hidden.length)], `${end}${hidden}`),
  );
  refused('Transfer-Encoding: xchunked', post(['Transfer-Encoding: xchunked'], `${end}${hidden}`));
  refused(
    'Transfer-Encoding: chunked, identity',
    post(['Transfer-Encoding: chunked, identity'], `${chunk('{}')}${end}`),
  );
  refused('Transfer-Encoding: identity', post(['Transfer-Encoding: identity'], hidden));
  refused(
    'Transfer-Encoding: gzip, chunked',
    post(['Transfer-Encoding: gzip, chunked'], `${chunk('{}')}${end}`),
  );
  refused(
    'Transfer-Encoding: chunked, chunked',
    post(['Transfer-Encoding: chunked, chunked'], `${chunk('{}')}${end}`),
  );
  refused('Transfer-Encoding twice', post([chunked, chunked], `${chunk('{}')}${end}`));
  refused(
    'Transfer-Encoding: identity, then chunked',
    post(['Transfer-Encoding: identity', chunked], `${chunk('{}')}${end}`),
  );
  refused(
    'Transfer-Encoding: chunked behind a vertical tab',
    post(['Transfer-Encoding: \x0bchunked'], `${end}${hidden}`),
  );
  refused(
    'Transfer-Encoding : chunked',
    post(['Transfer-Encoding : chunked', length(2)], `${end}${hidden}`),
  );
  either(
    'Transfer-Encoding: CHUNKED',
    post(['Transfer-Encoding: CHUNKED'], `${chunk('{}')}${end}`),
  );

  // Hosts and the request line.
  refused('two Host', `${lines(line, ...usual, 'Host: other', length(2), '')}{}`);
  refused('no Host', `${lines(line, key, 'Content-Type: application/json', length(2), '')}{}`);
  either(
    'Host: empty',
    `${lines(line, key, 'Content-Type: application/json', 'Host:', length(2), '')}{}`,
  );
  refused('HTTP/1.0', `${lines(line.replace('1.1', '1.0'), ...usual, length(2), '')}{}`);
  refused('HTTP/2.0', `${lines(line.replace('1.1', '2.0'), ...usual, length(2), '')}{}`);
  refused('HTTP/1.11', `${lines(line.replace('1.1', '1.11'), ...usual, length(2), '')}{}`);
  refused('no version', `${lines(line.replace(' HTTP/1.1', ''), ...usual, length(2), '')}{}`);
  refused('HTTP/2 preface', `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`);
  either(
    'absolute-form',
    `${lines(line.replace(' /', ' http://127.0.0.1/'), ...usual, length(2), '')}{}`,
  );
  refused('authority-form', lines('CONNECT 127.0.0.1:80 HTTP/1.1', ...usual, ''));
  refused('asterisk-form', lines('OPTIONS * HTTP/1.1', ...usual, ''));
  refused(
    'method in lower case',
    `${lines(line.replace('POST', 'post'), ...usual, length(2), '')}{}`,
  );
  refused(
    'two spaces in the request line',
    `${lines(line.replace('POST ', 'POST  '), ...usual, length(2), '')}{}`,
  );
  refused(
    'tabs in the request line',
    `${lines(line.replaceAll(' ', '\t'), ...usual, length(2), '')}{}`,
  );
  refused(
    'space in the path',
    `${lines(line.replace('shop', 'sh op'), ...usual, length(2), '')}{}`,
  );
  refused('NUL in the path', `${lines(line.replace('shop', 'shop\0'), ...usual, length(2), '')}{}`);
  refused('TLS hello on plain TCP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
  either('empty lines first', `${crlf}${crlf}${post([length(2)], '{}')}`);

  // Header lines.
  refused('bare LF everywhere', post([length(2)], '{}').replaceAll(crlf, '\n'));
  refused(
    'bare LF before a hidden header',
    post([`X-A: b\n${length(long.length)}`, length(2)], long),
  );
  refused(
    'bare CR before a hidden header',
    post([`X-A: b\r${length(long.length)}`, length(2)], long),
  );
  refused('continued line', post(['X-A: b', ' c', length(2)], '{}'));
  refused('continued line, first of all', `${lines(line, ' X-A: b', ...usual, length(2), '')}{}`);
  refused(
    'continued Transfer-Encoding',
    post(['Transfer-Encoding:', ' chunked', length(2)], `${end}${hidden}`),
  );
  refused('space before the colon', post(['X-A : b', length(2)], '{}'));
  refused(
    'space before the colon of Content-Length',
    post([`Content-Length : ${long.length}`, length(2)], long),
  );
  refused('no colon', post(['X-A', length(2)], '{}'));
  refused('no name', post([': b', length(2)], '{}'));
  refused('NUL in a value', post(['X-A: b\0c', length(2)], '{}'));
  refused('NUL in a name', post(['X-\0A: b', length(2)], '{}'));
  refused('control character in a value', post(['X-A: b\x01c', length(2)], '{}'));
  refused('brackets in a name', post(['X-(A): b', length(2)], '{}'));
  refused('a header of 100 KB', post([`X-A: ${'b'.repeat(100_000)}`, length(2)], '{}'));
  refused(
    '500 headers',
    post([...Array.from({ length: 500 }, (_, at) => `X-${at}: b`), length(2)], '{}'),
  );
  refused(
    'a URL of 100 KB',
    `${lines(line.replace('shop', `shop?${'x'.repeat(100_000)}`), ...usual, length(2), '')}{}`,
  );

  // Chunks.
  refused(
    'chunk size beyond 64 bits',
    post([chunked], `1${'0'.repeat(16)}2${crlf}{}${crlf}${end}`),
  );
  refused('chunk size of 2^64 - 1', post([chunked], `${'f'.repeat(16)}${crlf}{}${crlf}${end}`));
  either(
    'chunk size with leading zeros',
    post([chunked], `${'0'.repeat(40)}2${crlf}{}${crlf}${end}`),
  );
  refused('chunk size +2', post([chunked], `+2${crlf}{}${crlf}${end}`));
  refused('chunk size -2', post([chunked], `-2${crlf}{}${crlf}${end}`));
  refused('chunk size 0x2', post([chunked], `0x2${crlf}{}${crlf}${end}`));
  refused('chunk size empty', post([chunked], `${crlf}{}${crlf}${end}`));
  refused('chunk size no number', post([chunked], `zz${crlf}{}${crlf}${end}`));
  refused('chunk size behind a space', post([chunked], ` 2${crlf}{}${crlf}${end}`));
  refused('chunk ended by LF', post([chunked], `2\n{}\n0\n\n`));
  refused('chunk data ended by LF', post([chunked], `2${crlf}{}\n${end}`));
  refused('chunk data ended by other bytes', post([chunked], `2${crlf}{}XX${end}`));
  refused('chunk data longer than its size', post([chunked], `2${crlf}{}{}${crlf}${end}`));
  refused('last chunk ended by other bytes', post([chunked], `${chunk('{}')}0${crlf}XX${hidden}`));
  either('chunk extension', post([chunked], `2;a=b${crlf}{}${crlf}${end}`));
  refused(
    'chunk extension with LF and a hidden chunk',
    post([chunked], `2;\n${inChunk}${crlf}{}${crlf}${end}`),
  );
  refused(
    'chunk extension of 100 KB',
    post([chunked], `2;${'a'.repeat(100_000)}${crlf}{}${crlf}${end}`),
  );
  either('trailers', post([chunked], `${chunk('{}')}0${crlf}X-Trailer: a${crlf}${crlf}`));
  either(
    'trailers that frame',
    post([chunked], `${chunk('{}')}0${crlf}${length(hidden.length)}${crlf}${crlf}`),
  );
  return cases;
}

const crlf = '\r\n';
/** The last chunk. */
const end = `0${crlf}${crlf}`;

function chunk(text: string): string {
  return `${text.length.toString(16)}${crlf}${text}${crlf}`;
}

/** Each ended by CRLF; an empty last one ends the head. A body behind that is not ended. */
function lines(...all: readonly string[]): string {
  const headEnd = all.indexOf('');
  const head = headEnd < 0 ? all : all.slice(0, headEnd + 1);
  const body = headEnd < 0 ? [] : all.slice(headEnd + 1);
  return `${head.map((line) => `${line}${crlf}`).join('')}${body.join('')}`;
}
