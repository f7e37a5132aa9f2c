/** The rules that are for a segment, by content. */
import { Anchor, Badge, Group, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { pathOf } from '../parts/environments.js';
import type { SavedSegment } from './segment-api.js';

export interface SegmentUsesProps {
  readonly env: string;
  readonly segment: SavedSegment;
}

export function SegmentUses({ env, segment: { uses } }: SegmentUsesProps) {
  return (
    <>
      <Title order={2} size="h5" id="segment-uses" mb="xs">
        Where it is used
      </Title>
      {uses.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nowhere yet. Open a content, go to its mapping, and add a rule for this segment.
        </Text>
      ) : (
        <Table verticalSpacing={6} aria-labelledby="segment-uses">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Content</Table.Th>
              <Table.Th>Revision</Table.Th>
              <Table.Th>Rules</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {uses.map(({ content, revision, live, newest, rules }) => (
              <Table.Tr key={`${content} ${revision}`}>
                <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                  <Anchor component={Link} href={pathOf.content(env, content, 'mapping')} size="sm">
                    {content}
                  </Anchor>
                </Table.Th>
                <Table.Td>
                  <Group gap={6}>
                    {revision}
                    <Badge size="sm" variant={live ? 'light' : 'default'}>
                      {live ? 'live' : newest ? 'draft' : 'old'}
                    </Badge>
                  </Group>
                </Table.Td>
                <Table.Td>{rules.map((rule) => rule + 1).join(', ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
