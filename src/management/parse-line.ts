/** Parses one line of NDJSON, and checks it against its schema. */
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import type { ValidationIssue } from '../contract/problems.js';

export function parseLine<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): { readonly value: z.output<Schema> } | { readonly issues: readonly ValidationIssue[] } {
  if (!isUtf8(bytes)) return { issues: [{ path: '', message: 'is not UTF-8' }] };
  let value: unknown;
  try {
    // A byte-order mark stays, and is rejected.
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return { issues: [{ path: '', message: `is not JSON: ${why}` }] };
  }
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { value: data as z.output<Schema> };
  return { issues: error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) };
}
