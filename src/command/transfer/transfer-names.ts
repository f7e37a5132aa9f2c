/** File names of an environment as a folder: safe on every system, and the same for the same name. */

import { createHash } from 'node:crypto';

export const segmentsFolder = 'segments';
export const aboutSuffix = '.json';

/** Windows reserves these whatever follows the first dot. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const plainId = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Lower case only: two segments may differ by case, which two files on Windows or macOS cannot. */
const plainSegment = /^[a-z0-9_-][a-z0-9._ -]*$/;
const textFile = /^(.+?)(?:@(\d{1,9}\.\d{1,9}\.\d{1,9}))?\.jsonc$/;

const lowestVersion = '0.0.0';
const slugCharsMax = 60;
const digestChars = 8;

/** What the names of a content's files begin with. Ids never differ by case alone. */
export function contentStem(id: string): string {
  return plainId.test(id) && !reserved.test(id) ? id : unusualStem(id);
}

export function segmentStem(name: string): string {
  const isPlain = plainSegment.test(name) && name.length <= slugCharsMax;
  return isPlain && !reserved.test(name) && !name.endsWith(' ') ? name : unusualStem(name);
}

/** `shop.jsonc`, and `shop@2.0.0.jsonc` for a line of a later app version. */
export function textFileName(stem: string, appVersion: string): string {
  return appVersion === lowestVersion ? `${stem}.jsonc` : `${stem}@${appVersion}.jsonc`;
}

/** Null: it is no text of a content. */
export function readTextFileName(
  file: string,
): { readonly stem: string; readonly appVersion: string } | null {
  const found = textFile.exec(file);
  if (found === null) return null;
  return { stem: found[1] ?? '', appVersion: found[2] ?? lowestVersion };
}

/** Readable as far as possible; the digest makes it unique. The file contains the name itself. */
function unusualStem(name: string): string {
  const slug = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, slugCharsMax);
  return `${slug}~${createHash('sha256').update(name).digest('hex').slice(0, digestChars)}`;
}
