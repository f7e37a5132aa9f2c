/** The same tests as a table: all of it as text and numbers. */
import { Anchor, Box, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { AbTest } from '../../../contract/operations/tests.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import { windowNow } from '../window/window-state.js';
import { formatShare, sizeOf } from './bucket-ranges.js';
import { bucketOfUser, mapOf, variantOf, windowOf } from './shared-tests.js';
import { pathOfTest, type TestMapProps } from './test-map.js';

export function TestTable({ env, tests, user }: TestMapProps) {
  const columns = useMemo(() => {
    const overlapping = new Set(mapOf(tests).shared.flatMap((salt) => [...salt.overlapping]));
    return columnsOf({ env, user, overlapping });
  }, [env, tests, user]);
  return (
    <Box tabIndex={0} role="region" aria-label="Tests" style={{ overflowX: 'auto' }}>
      <DataTable
        miw={860}
        striped
        columns={columns}
        rows={tests}
        keyOf={({ content, rule }) => `${content} ${rule}`}
      />
    </Box>
  );
}

interface ColumnOptions extends Pick<TestMapProps, 'env' | 'user'> {
  readonly overlapping: ReadonlySet<AbTest>;
}

function columnsOf({ env, user, overlapping }: ColumnOptions): Column<AbTest>[] {
  const now = Date.now();
  const player: Column<AbTest> = {
    title: 'Player',
    cell: (test) => {
      const bucket = bucketOfUser(user, test.salt);
      return `Bucket ${bucket}: ${variantOf(test, bucket)?.name ?? 'not in the test'}`;
    },
  };
  return [
    {
      title: 'Test',
      sortBy: ({ segment }) => segment,
      cell: (test) => (
        <Anchor component={Link} href={pathOfTest(env, test)} size="sm" fw={600}>
          {test.segment}
        </Anchor>
      ),
    },
    { title: 'Content item', sortBy: ({ content }) => content, cell: ({ content }) => content },
    {
      title: 'State',
      cell: (test) =>
        `${test.live ? 'Live' : `Draft r${test.revision}`}. ${windowNow(windowOf(test), now).words}.`,
    },
    {
      title: 'Seed',
      cell: (test) => (
        <>
          {test.salt === null ? 'None' : <span className="mono">{test.salt}</span>}
          {overlapping.has(test) && (
            <Text size="xs" fw={600}>
              Overlaps with others
            </Text>
          )}
        </>
      ),
    },
    {
      title: 'Variants',
      cell: ({ variants }) =>
        variants.map(({ name, groups }) => (
          <Text key={name} size="sm" style={{ whiteSpace: 'nowrap' }}>
            {name}: {groups[0]} to {groups[1]}, {formatShare(sizeOf(groups))}
          </Text>
        )),
    },
    ...(user === '' ? [] : [player]),
  ];
}
