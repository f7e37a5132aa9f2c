/** The targeting rules that use a segment, by content item. */
import { Anchor, Badge, Group, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { pathOf } from '../parts/environments.js';
import type { SavedSegment } from './segment-api.js';

export interface SegmentUsesProps {
  readonly env: string;
  readonly segment: SavedSegment;
}

export function SegmentUses({ env, segment: { uses } }: SegmentUsesProps) {
  const columns = useMemo(() => columnsOf(env), [env]);
  return (
    <>
      <Title order={2} size="h5" id="segment-uses" mb="xs">
        Where it is used
      </Title>
      {uses.length === 0 ? (
        <Text size="sm" c="dimmed">
          Not used yet. Open a content item, go to Targeting, and add a rule for this segment.
        </Text>
      ) : (
        <DataTable
          aria-labelledby="segment-uses"
          columns={columns}
          rows={uses}
          keyOf={({ content, revision }) => `${content} ${revision}`}
        />
      )}
    </>
  );
}

function columnsOf(env: string): Column<SavedSegment['uses'][number]>[] {
  return [
    {
      title: 'Content item',
      isHeader: true,
      cell: ({ content }) => (
        <Anchor component={Link} href={pathOf.content(env, content, 'mapping')} size="sm">
          {content}
        </Anchor>
      ),
    },
    {
      title: 'Revision',
      cell: ({ revision, live, newest }) => (
        <Group gap={6}>
          {revision}
          <Badge size="sm" variant={live ? 'light' : 'default'}>
            {live ? 'live' : newest ? 'draft' : 'old'}
          </Badge>
        </Group>
      ),
    },
    { title: 'Rules', cell: ({ rules }) => rules.map((rule) => rule + 1).join(', ') },
  ];
}
