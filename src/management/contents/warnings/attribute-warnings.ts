/** Adds to the warnings of a save unusual attributes that its conditions read. Rejects nothing. */
import type { FastifyRequest } from 'fastify';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { AdminContext } from '../../http/context.js';
import { attributesLookMsMax } from '../../limits/evaluation.js';
import type { StateUses } from '../validate/check-state.js';
import { bounded } from '../validate/validate-state.js';
import type { AttributeUse } from './attribute-uses.js';
import { flagTotalWarningsOf } from './flag-total-warning.js';
import { type AskedOf, unusedWarnings } from './unused-warnings.js';

type Context = Pick<AdminContext, 'attributes'>;

/** Of a condition that is saved as a segment, or is about to be. */
export function segmentWarnings(
  context: Context,
  request: FastifyRequest,
  environment: string,
  segment: string,
  attributes: readonly AttributeUse[],
): Promise<ValidationIssue[]> {
  return unlessItFails(request, () =>
    findUnused(context, environment, [{ uses: attributes, of: { segment }, whole: 'when' }]),
  );
}

/** Of a content's own conditions, and of the saved segments that its rules name. */
export function contentWarnings(
  context: Context,
  request: FastifyRequest,
  environment: string,
  content: string,
  { attributes, segments }: Omit<StateUses, 'flags'>,
): Promise<ValidationIssue[]> {
  return unlessItFails(request, async () => {
    const asked: Asked[] = [{ uses: attributes, of: { content }, whole: 'mapping' }];
    const saved =
      segments.length === 0
        ? new Map<string, readonly string[]>()
        : await context.attributes.ofSegments(
            environment,
            segments.map(({ segment }) => segment),
          );
    for (const { rule, segment } of segments) {
      const path = `mapping[${rule}].segment`;
      const uses = (saved.get(segment) ?? []).map((attribute) => ({ attribute, path }));
      asked.push({ uses, of: { content, segment }, whole: path });
    }
    return findUnused(context, environment, asked);
  });
}

/** A content as it was saved, with these warnings among the others, and that of the total of flags. */
export async function withContentWarnings<
  Saved extends { readonly id: string; readonly warnings: readonly ValidationIssue[] },
>(
  context: Context & Pick<AdminContext, 'store'>,
  request: FastifyRequest,
  environment: string,
  { uses, ...saved }: Saved & { readonly uses: StateUses },
): Promise<Omit<Saved, 'uses'> & { readonly warnings: readonly ValidationIssue[] }> {
  const added = await contentWarnings(context, request, environment, saved.id, uses);
  const ofFlags = await flagTotalWarningsOf(context, request, environment, saved.id, uses.flags);
  const warnings = [...saved.warnings, ...added, ...ofFlags];
  return { ...(saved as Omit<Saved, 'uses'>), warnings };
}

interface Asked {
  readonly uses: readonly AttributeUse[];
  readonly of: AskedOf;
  readonly whole: string;
}

/** Mostly requests have carried all of them: then nothing else is read. */
async function findUnused(
  { attributes }: Context,
  environment: string,
  asked: readonly Asked[],
): Promise<ValidationIssue[]> {
  if (asked.every(({ uses }) => uses.length === 0)) return [];
  const seen = await attributes.seen(environment);
  const isSeen = ({ attribute }: AttributeUse): boolean => seen.has(attribute);
  if (asked.every(({ uses }) => uses.every(isSeen))) return [];
  const known = await attributes.list(environment, attributesLookMsMax);
  if (known === null) return [];
  return bounded(asked.flatMap(({ uses, of, whole }) => unusedWarnings(uses, known, of, whole)));
}

/** The edit is saved: failing to compare its attributes must not look as if it were not. */
async function unlessItFails(
  request: FastifyRequest,
  find: () => Promise<ValidationIssue[]>,
): Promise<ValidationIssue[]> {
  try {
    return await find();
  } catch (error) {
    request.log.warn(
      { event: 'attribute_warnings_failed', err: error },
      'the attributes of conditions could not be compared',
    );
    return [];
  }
}
