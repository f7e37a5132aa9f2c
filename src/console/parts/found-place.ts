/** The place in a content item that a search has found, as the address of the item's screen holds it. Pure. */

export interface FoundPlace {
  readonly revision: number;
  /** Version line. */
  readonly appVersion: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

const parameter = 'found';
const form = /^(\d+)@(\d+\.\d+\.\d+):(\d+):(\d+)$/;

/** For the query of the address. */
export function foundQuery({ revision, appVersion, line, column }: FoundPlace): string {
  const value = `${revision}@${appVersion}:${line}:${column}`;
  return new URLSearchParams({ [parameter]: value }).toString();
}

/** @param search query of the address; null: it has no such place */
export function foundPlaceOf(search: string): FoundPlace | null {
  const [, revision, appVersion = '', line, column] =
    form.exec(new URLSearchParams(search).get(parameter) ?? '') ?? [];
  if (revision === undefined) return null;
  return {
    ...{ revision: Number(revision), appVersion },
    ...{ line: Number(line), column: Number(column) },
  };
}
