/**
 * JSON bodies in which some members are JSON texts that must arrive byte for byte: a
 * mapping's numbers, key order, `__proto__` and escapes would not survive parse -> stringify.
 */

import { stripJsonc } from '../../content/json/jsonc.js';
import { TextIssue } from '../../content/json/text-issue.js';
import { rawMembers } from '../../management/http/body/raw-members.js';
import { CommandFailure } from './failure.js';
import { inputLevelsMax } from './limits.js';
import { standardInput } from './text-file.js';

/**
 * `fields` as a JSON object, followed by the members of `texts`, whose values are JSON texts already.
 * Undefined values are left out of both.
 */
export function jsonBody(
  fields: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string | undefined>>,
): string {
  const plain = JSON.stringify(fields).slice(1, -1);
  const members = plain === '' ? [] : [plain];
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

/**
 * JSON with comments and trailing commas as the strict JSON it stands for, every value as written.
 * `source` (a file's path, `-` or an option) is for the error message.
 * @throws CommandFailure with line and column when it is not JSON
 */
export function strictJson(text: string, source: string): string {
  const stripped = stripJsonc(new TextEncoder().encode(text), inputLevelsMax);
  if (stripped instanceof TextIssue) {
    const name = source === standardInput ? 'standard input' : source;
    const place = `line ${stripped.line}, column ${stripped.column}`;
    throw new CommandFailure(`${name} is not JSON: ${stripped.message} (${place})`);
  }
  return new TextDecoder().decode(stripped);
}

/** The texts of the elements of a list, which is JSON without white space around its values. */
export function rawElements(list: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let begin = 1;
  let isText = false;
  for (let at = 0; at < list.length; at += 1) {
    const sign = list[at] ?? '';
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    const isEnd = depth === 0 || (depth === 1 && sign === ',' && !isText);
    if (isEnd && at > begin) elements.push(list.slice(begin, at));
    if (isEnd) begin = at + 1;
  }
  return elements;
}

/** The text of a member's value in the text of an object, or '' when there is none. */
export function rawMember(object: string, name: string): string {
  const bytes = rawMembers(new TextEncoder().encode(object)).get(name);
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}
