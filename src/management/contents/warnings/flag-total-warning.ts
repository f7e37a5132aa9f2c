/** Warns of an environment whose content lists more flags than a bulk evaluation of OFREP has. Rejects nothing. */
import type { FastifyRequest } from 'fastify';
import { flagsMax } from '../../../contract/limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { AdminContext } from '../../http/context.js';
import { countFlagsBeside } from '../../store/contents/listed-flags.js';

/** @param total flags of all content that is live in an environment, as it is or is about to be */
export function flagTotalWarnings(total: number): ValidationIssue[] {
  if (total <= flagsMax) return [];
  const message = `the content of this environment lists ${total} flags with this change, and a bulk evaluation has at most ${flagsMax}: once it is live, OFREP rejects every bulk evaluation (too_many_flags) until content lists fewer flags`;
  return [{ path: 'flags', message }];
}

/**
 * Of a content that is saved, or is about to be. A content without flags asks the store nothing.
 * @param flags how many it lists
 */
export async function flagTotalWarningsOf(
  { store }: Pick<AdminContext, 'store'>,
  request: FastifyRequest,
  environment: string,
  content: string,
  flags: number,
): Promise<ValidationIssue[]> {
  if (flags === 0) return [];
  try {
    const beside = await store.read((db) => countFlagsBeside(db, environment, content));
    return flagTotalWarnings(beside + flags);
  } catch (error) {
    // The edit is saved: failing to count must not look as if it were not.
    request.log.warn(
      { event: 'flag_warnings_failed', err: error },
      'the flags of the environment could not be counted',
    );
    return [];
  }
}
