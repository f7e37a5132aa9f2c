/** Reads which texts and mappings a search goes through: those that are live, and those of newest revisions. */
import type { Db } from '../dialect.js';
import { liveOrNewest } from './joins.js';

/** A text or a mapping of a content. */
export interface SearchedText {
  readonly idLower: string;
  /** As it was created. */
  readonly id: string;
  /** Which of its states have it; of the live one, where both do. */
  readonly state: 'live' | 'draft' | 'both';
  readonly revision: number;
  /** Version line; null: it is the mapping. */
  readonly appVersion: string | null;
  readonly digest: string;
}

export interface SearchedPage {
  /** By lower-case id; of a content live before draft, texts by version before the mapping. */
  readonly texts: readonly SearchedText[];
  /** Lower-case id of the last content that was looked at; null: there are no more. */
  readonly last: string | null;
}

/** Deleted contents have none. @param begin lower-case id from which or after which the page begins */
export async function listSearchedTexts(
  db: Db,
  environment: string,
  begin: { readonly id: string; readonly isIncluded: boolean },
  contentsMax: number,
): Promise<SearchedPage> {
  const rows = await db
    .selectFrom('contents')
    .select(['idLower', 'id', 'live', 'newest'])
    .where('environment', '=', environment)
    .where('idLower', begin.isIncluded ? '>=' : '>', begin.id)
    .where('deletedAt', 'is', null)
    .orderBy('idLower')
    .limit(contentsMax)
    .execute();
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return { texts: [], last: null };
  const texts = await readTexts(db, environment, first.idLower, last.idLower);
  return {
    texts: rows.flatMap((content) => withStates(content, texts.get(content.idLower) ?? [])),
    last: rows.length < contentsMax ? null : last.idLower,
  };
}

interface ContentRow {
  readonly idLower: string;
  readonly id: string;
  readonly live: number | null;
  readonly newest: number;
}

type TextRow = Pick<SearchedText, 'appVersion' | 'digest'> & { readonly number: number };

/** Texts of the live and newest revisions of these contents, by lower-case id: lines by version, then the mapping. */
async function readTexts(
  db: Db,
  environment: string,
  first: string,
  last: string,
): Promise<Map<string, TextRow[]>> {
  const contents = db
    .selectFrom('contents')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '>=', first)
    .where('contents.idLower', '<=', last)
    .where('contents.deletedAt', 'is', null);
  const lines = await contents
    .innerJoin('revisionLines', liveOrNewest('revisionLines'))
    .select(['revisionLines.idLower', 'revisionLines.number'])
    .select(['revisionLines.version', 'revisionLines.textDigest'])
    .orderBy('revisionLines.position')
    .execute();
  const mappings = await contents
    .innerJoin('revisions', liveOrNewest('revisions'))
    .select(['revisions.idLower', 'revisions.number', 'revisions.mapping'])
    .where('revisions.mapping', 'is not', null)
    .execute();
  const texts = new Map<string, TextRow[]>();
  const add = (idLower: string, text: TextRow): void => {
    const known = texts.get(idLower);
    if (known === undefined) texts.set(idLower, [text]);
    else known.push(text);
  };
  for (const { idLower, number, version, textDigest } of lines) {
    add(idLower, { number, appVersion: version, digest: textDigest });
  }
  for (const { idLower, number, mapping } of mappings) {
    add(idLower, { number, appVersion: null, digest: mapping ?? '' });
  }
  return texts;
}

/** What the draft has as it is live is there once. */
function withStates(
  { idLower, id, live, newest }: ContentRow,
  texts: readonly TextRow[],
): SearchedText[] {
  const keyOf = ({ appVersion, digest }: TextRow): string => `${appVersion} ${digest}`;
  const ofLive = texts.filter(({ number }) => number === live);
  const ofDraft = live === newest ? [] : texts.filter(({ number }) => number === newest);
  const liveKeys = new Set(ofLive.map(keyOf));
  const draftKeys = new Set((live === newest ? ofLive : ofDraft).map(keyOf));
  const text = (state: SearchedText['state'], { number, ...row }: TextRow): SearchedText => {
    return { idLower, id, state, revision: number, ...row };
  };
  return [
    ...ofLive.map((row) =>
      text(draftKeys.has(keyOf(row)) && live !== newest ? 'both' : 'live', row),
    ),
    ...ofDraft.filter((row) => !liveKeys.has(keyOf(row))).map((row) => text('draft', row)),
  ];
}
