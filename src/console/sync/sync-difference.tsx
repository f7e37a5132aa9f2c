/** What a sync changes in one content item: each place that differs, and on demand the texts side by side. */
import { Alert, Anchor, Badge, Box, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { SyncedContent } from '../../contract/operations/sync.js';
import { IconAlertTriangle } from '../icons/icons.js';
import { PointerTable } from '../parts/code/pointer-table.js';
import { pathOf } from '../parts/environments.js';
import { SavedBy } from './sync-conflict.js';
import { isComment } from './sync-items.js';
import { requestSync, useSyncSides } from './sync-sides.js';

// CodeMirror comes with it.
const SyncTexts = lazy(async () => ({ default: (await import('./sync-texts.js')).SyncTexts }));

export interface SyncDifferenceProps {
  readonly change: SyncedContent;
}

export function SyncDifference({ change }: SyncDifferenceProps) {
  const { target } = useSyncSides();
  const [hasTexts, setHasTexts] = useState(false);
  const lines = useAllPlaces(change);
  return (
    <Stack gap="sm">
      {change.conflict && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm" component="div">
            This overwrites an edit made in {target.name}
            <SavedBy edited={change.edited} />.{' '}
            <Anchor
              component={Link}
              href={pathOf.content(target.id, change.id)}
              size="sm"
              c="inherit"
              underline="always"
            >
              Show it
            </Anchor>
          </Text>
        </Alert>
      )}
      {lines.map((line) => (
        <LinePlaces key={line.appVersion} id={change.id} line={line} />
      ))}
      <Others change={change} />
      {hasTexts ? (
        <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the texts" />}>
          <SyncTexts change={change} />
        </Suspense>
      ) : (
        <Box>
          <Button size="xs" variant="default" onClick={() => setHasTexts(true)}>
            Compare the texts
          </Button>
        </Box>
      )}
    </Stack>
  );
}

/** A dry run of thousands of items cuts the list of places; that of one item is longer. */
function useAllPlaces({ id, lines, fromRevision, toRevision }: SyncedContent) {
  const sides = useSyncSides();
  const { data } = useQuery({
    queryKey: ['sync-places', sides.target.id, sides.source.id, id, fromRevision, toRevision],
    queryFn: () => requestSync(sides, { ids: [id], dryRun: true }),
    enabled: lines.some(({ pointersCut }) => pointersCut),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const alone = [...(data?.added ?? []), ...(data?.changed ?? [])][0];
  return alone?.fromRevision === fromRevision && alone.toRevision === toRevision
    ? alone.lines
    : lines;
}

interface LinePlacesProps {
  readonly id: string;
  readonly line: SyncedContent['lines'][number];
}

function LinePlaces({ id, line }: LinePlacesProps) {
  const { source, target } = useSyncSides();
  const { appVersion, change, pointers, pointersCut } = line;
  return (
    <Box>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          App version line {appVersion}
        </Text>
        <Badge size="sm" variant="default">
          {change}
        </Badge>
        {isComment(line) && (
          <Text size="xs" c="dimmed">
            Only comments or white space: players get the same bytes.
          </Text>
        )}
      </Group>
      {pointers.length > 0 && (
        <PointerTable
          rows={pointers.map((pointer) => ({ where: '', ...pointer }))}
          label={`What differs in app version line ${appVersion} of ${id}`}
          before={`Now in ${target.name}`}
          after={`From ${source.name}`}
        />
      )}
      {pointersCut && (
        <Text size="xs" c="dimmed">
          The list is cut; compare the texts to see all differences.
        </Text>
      )}
    </Box>
  );
}

function Others({ change }: { readonly change: SyncedContent }) {
  const { mapping, flags, about, segments } = change;
  const sentences = [
    ...(mapping === 'same' ? [] : [`Targeting is ${mapping}.`]),
    ...(flags === 'same' ? [] : [`Flags are ${flags}.`]),
    ...(about.length === 0 ? [] : [`Included: ${about.join(', ')}.`]),
    ...segments.map((segment) => `The segment ${segment.name} is ${segment.change} with it.`),
  ];
  return sentences.length === 0 ? null : <Text size="sm">{sentences.join(' ')}</Text>;
}
