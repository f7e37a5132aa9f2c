/** Finds the content that a path names, or says which part of the path there is not. */

import { Problem } from '../../contract/problems.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { contentUnknown } from '../authoring/publish-content.js';
import { type ContentRecord, findContent } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';

/** Deleted ones too. */
export async function findKnown(
  db: Reading,
  env: string,
  id: string,
): Promise<ContentRecord | Problem> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  return (await findContent(db, env, id)) ?? contentUnknown(env, id);
}

/** Deleted ones are not there. */
export async function findPresent(
  db: Reading,
  env: string,
  id: string,
): Promise<ContentRecord | Problem> {
  const content = await findKnown(db, env, id);
  if (content instanceof Problem || content.deletedAtMs === null) return content;
  return contentUnknown(env, id);
}
