/** Lists the single values that differ between two stored texts, for the index of changes. */
import { deliveredJson } from '../../store/contents/delivered-json.js';
import { diffLeaves } from './diff-pointers.js';

export interface ListPlaces {
  /** As stored; null: there is none. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly countMax: number;
}

/** A value that differs. JSON texts, cut where they are long. */
export interface Place {
  /** JSON pointer. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ListedPlaces {
  readonly places: readonly Place[];
  /** There are more. */
  readonly cut: boolean;
}

/** Of names and values of this length only. */
const pathCharsMax = 1_024;

export function listPlaces({ before, after, countMax }: ListPlaces): ListedPlaces {
  const found = diffLeaves(
    before === null ? null : deliveredJson(before),
    after === null ? null : deliveredJson(after),
    countMax + 1,
  );
  const short = found.filter(({ path }) => path.length <= pathCharsMax);
  const places = short.slice(0, countMax).map((change) => ({
    path: storablePath(change.path),
    before: change.before,
    after: change.after,
  }));
  return { places, cut: places.length < found.length };
}

/** A name may have what no database holds; what is looked for has none of it. */
function storablePath(path: string): string {
  return path.replaceAll(unstorable, '\ufffd');
}

const unstorable = /[\0\p{Surrogate}]/gu;
