/** What a sync changes in one content: each place that differs, and on demand the texts beside each other. */

import {
  Alert,
  Anchor,
  Badge,
  Box,
  Button,
  Code,
  Group,
  Loader,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncedContent } from '../../contract/operations/sync.js';
import { request } from '../api/call.js';
import { pathOf } from '../parts/environments.js';
import { When } from '../parts/when.js';
import { isComment } from './sync-items.js';

// CodeMirror comes with it.
const SyncTexts = lazy(async () => ({ default: (await import('./sync-texts.js')).SyncTexts }));

export interface SyncDifferenceProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly change: SyncedContent;
}

export function SyncDifference({ source, target, change }: SyncDifferenceProps) {
  const [hasTexts, setHasTexts] = useState(false);
  const lines = useAllPlaces(source, target, change);
  return (
    <Stack gap="sm">
      {change.conflict && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm" component="div">
            What is live in {target.name} did not come from {source.name}
            {change.edited === null ? (
              '.'
            ) : (
              <>
                : <strong>{change.edited.author}</strong> saved it{' '}
                <When at={change.edited.at} span />.
              </>
            )}{' '}
            A sync puts revision {change.fromRevision} of {source.name} on top of it.{' '}
            <Anchor
              component={Link}
              href={pathOf.content(target.id, change.id)}
              size="sm"
              c="inherit"
              underline="always"
            >
              Look at it
            </Anchor>
          </Text>
        </Alert>
      )}
      {lines.map((line) => (
        <LinePlaces
          key={line.appVersion}
          source={source}
          target={target}
          id={change.id}
          line={line}
        />
      ))}
      <Others change={change} />
      {hasTexts ? (
        <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the texts" />}>
          <SyncTexts source={source} target={target} change={change} />
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

/** A dry run of thousands lists only so many places; of one content alone it lists more. */
function useAllPlaces(source: Environment, target: Environment, change: SyncedContent) {
  const { id, lines, fromRevision, toRevision } = change;
  const { data } = useQuery({
    queryKey: ['sync-places', target.id, source.id, id, fromRevision, toRevision],
    queryFn: () =>
      request('POST /environments/:env/sync', {
        params: { env: target.id },
        body: { from: source.id, ids: [id], dryRun: true },
      }),
    enabled: lines.some(({ pointersCut }) => pointersCut),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const alone = [...(data?.added ?? []), ...(data?.changed ?? [])][0];
  return alone?.fromRevision === fromRevision && alone.toRevision === toRevision
    ? alone.lines
    : lines;
}

interface LinePlacesProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly id: string;
  readonly line: SyncedContent['lines'][number];
}

function LinePlaces({ source, target, id, line }: LinePlacesProps) {
  const { appVersion, change, pointers, pointersCut } = line;
  return (
    <Box>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          Line {appVersion}
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
        <Table.ScrollContainer
          minWidth={420}
          scrollAreaProps={{
            viewportProps: {
              tabIndex: 0,
              role: 'region',
              'aria-label': `What differs in line ${appVersion} of ${id}`,
            },
          }}
        >
          <Table withRowBorders verticalSpacing={4} fz="xs" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="34%">Place</Table.Th>
                <Table.Th>Now in {target.name}</Table.Th>
                <Table.Th>From {source.name}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {pointers.map(({ path, before, after }) => (
                <Table.Tr key={path}>
                  <Table.Td className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {path === '' ? 'all of it' : path}
                  </Table.Td>
                  <Table.Td>
                    <Value text={before} />
                  </Table.Td>
                  <Table.Td>
                    <Value text={after} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {pointersCut && (
        <Text size="xs" c="dimmed">
          More differs than is listed; compare the texts to see all of it.
        </Text>
      )}
    </Box>
  );
}

function Value({ text }: { readonly text: string | null }) {
  if (text === null) {
    return (
      <Text size="xs" c="dimmed">
        nothing
      </Text>
    );
  }
  return <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{text}</Code>;
}

function Others({ change: { mapping, about, segments } }: { readonly change: SyncedContent }) {
  const words: string[] = [];
  if (mapping !== 'same') words.push(`The mapping is ${mapping}.`);
  if (about.length > 0) words.push(`Brought along: ${about.join(', ')}.`);
  for (const { name, change } of segments) {
    words.push(`The saved segment ${name} is ${change} with it.`);
  }
  if (words.length === 0) return null;
  return <Text size="sm">{words.join(' ')}</Text>;
}
