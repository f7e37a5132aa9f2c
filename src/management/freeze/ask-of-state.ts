/** What the state of a content does to running experiments once it is live. */
import type { Problem } from '../../contract/problems.js';
import type { ContentFindings } from '../guards/confirmation.js';
import type { Db } from '../store/dialect.js';
import { askExperiments } from './ask-experiments.js';

interface MappedState {
  /** Digest; null: it has none. */
  readonly mapping: string | null;
  /** Texts that the store may not have yet, by digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

/** What has to be confirmed, or why it may not go live. */
export function askOfState(
  db: Db,
  environment: string,
  idLower: string,
  { mapping, texts }: MappedState,
): Promise<readonly ContentFindings[] | Problem> {
  return askExperiments(db, environment, { mappings: new Map([[idLower, mapping]]), texts });
}
