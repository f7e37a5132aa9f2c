/** The same tests as a table: all in words and numbers. */
import { Anchor, Box, Button, Stack, Table, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { windowWords } from '../rules/window-badge.js';
import { groupOfUser, type MapTest, mapOf, variantOf } from '../tests-map.js';
import { shareText, sizeOf } from './group-ranges.js';
import { type GroupsMapProps, pathOfTest } from './groups-map.js';

const rowsAtOnce = 200;

export function GroupsTable({ env, tests, user }: GroupsMapProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const shown = tests.slice(0, rows);
  const overlapping = useMemo(
    () => new Set(mapOf(tests).shared.flatMap((line) => [...line.overlapping])),
    [tests],
  );
  const now = Date.now();
  return (
    <Stack gap="md">
      <Box tabIndex={0} role="region" aria-label="Tests" style={{ overflowX: 'auto' }}>
        <Table miw={860} verticalSpacing="xs" striped>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Test</Table.Th>
              <Table.Th>Content</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Salt</Table.Th>
              <Table.Th>Variants</Table.Th>
              {user !== '' && <Table.Th>Player</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((test) => (
              <Table.Tr key={`${test.content} ${test.rule}`} style={{ verticalAlign: 'top' }}>
                <Table.Td>
                  <Anchor component={Link} href={pathOfTest(env, test)} size="sm" fw={600}>
                    {test.segment}
                  </Anchor>
                </Table.Td>
                <Table.Td>{test.content}</Table.Td>
                <Table.Td>
                  {test.live ? 'Live' : `Draft r${test.revision}`}.{' '}
                  {windowWords(test.from, test.until, now)}
                </Table.Td>
                <Table.Td>
                  {test.salt === null ? 'None' : <span className="mono">{test.salt}</span>}
                  {overlapping.has(test) && (
                    <Text size="xs" fw={600}>
                      Overlaps with others
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {test.variants.map(({ name, groups }) => (
                    <Text key={name} size="sm" style={{ whiteSpace: 'nowrap' }}>
                      {name}: {groups[0]} to {groups[1]}, {shareText(sizeOf(groups))}
                    </Text>
                  ))}
                </Table.Td>
                {user !== '' && <Table.Td>{wordsOfPlayer(test, user)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {tests.length > rows && (
        <Button variant="default" onClick={() => setRows(rows + rowsAtOnce)} mx="auto">
          Show more of {tests.length.toLocaleString('en')} tests
        </Button>
      )}
    </Stack>
  );
}

function wordsOfPlayer(test: MapTest, user: string): string {
  const group = groupOfUser(user, test.salt);
  return `Group ${group}: ${variantOf(test, group)?.name ?? 'not in the test'}`;
}
