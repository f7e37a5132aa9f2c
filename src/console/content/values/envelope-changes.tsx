/** How the values that players could be given differ between two revisions. */
import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { PointerTable } from '../../parts/code/pointer-table.js';
import { counted } from '../../parts/counted.js';
import { useRevisionEnvelope } from './envelope-query.js';
import { valueRows } from './value-rows.js';
import { formatValues } from './value-words.js';

export interface EnvelopeChangesProps {
  readonly env: string;
  readonly id: string;
  /** Revisions. */
  readonly from: number;
  readonly to: number;
}

/** People read these one by one; the Values tab has all of them. */
const rowsShownMax = 200;

export function EnvelopeChanges({ env, id, from, to }: EnvelopeChangesProps) {
  const before = useRevisionEnvelope(env, id, from);
  const after = useRevisionEnvelope(env, id, to);
  const rows = useMemo(() => {
    if (before.data === undefined || after.data === undefined) return null;
    return valueRows(after.data, before.data, []).filter(({ change }) => change !== 'same');
  }, [before.data, after.data]);
  const error = before.error ?? after.error;
  const lines = [...(before.data?.lines ?? []), ...(after.data?.lines ?? [])];
  const isPartial = lines.some(({ truncated, unbounded }) => truncated || unbounded);
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {error !== null
          ? `The values that players could get are unknown: ${error.message}`
          : rows === null
            ? 'Computing the values that players could get…'
            : rows.length === 0
              ? 'The range of every value stays as it is.'
              : `What players could get changes at ${counted(rows.length, 'path')}.`}
        {isPartial && ' Not all paths are listed.'}
      </Text>
      {rows !== null && rows.length > 0 && (
        <PointerTable
          label={`Values of ${id} that players could get`}
          rows={rows.slice(0, rowsShownMax).map(({ appVersion, path, change, live, now }) => ({
            ...{ where: appVersion, path, change },
            before: live === null ? null : formatValues(live),
            after: now === null ? null : formatValues(now),
          }))}
        />
      )}
      {rows !== null && rows.length > rowsShownMax && (
        <Text size="sm">These are the first {rowsShownMax}.</Text>
      )}
    </Stack>
  );
}
