/** Hits by content item: where each is, and what it looks like. */
import { Badge, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { Link } from 'wouter';
import type { SearchHit } from '../../contract/operations/search/search-content.js';
import { type HitGroup, pathOfHit, placeOfHit } from './hit-groups.js';
import styles from './search.module.css';

export interface HitListProps {
  readonly env: string;
  readonly groups: readonly HitGroup[];
}

export function HitList({ env, groups }: HitListProps) {
  return (
    <Stack gap="md">
      {groups.map(({ content, hits }) => (
        <section key={content} aria-label={content}>
          <Title order={2} size="h5" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {content}
          </Title>
          <Paper withBorder component="ul" className={styles['hits'] ?? ''}>
            {hits.map((hit) => (
              <li key={`${hit.state} ${hit.part} ${hit.appVersion} ${hit.path} ${hit.match}`}>
                <Hit env={env} hit={hit} />
              </li>
            ))}
          </Paper>
        </section>
      ))}
    </Stack>
  );
}

function Hit({ env, hit }: { readonly env: string; readonly hit: SearchHit }) {
  const { path, match, line, state } = hit;
  return (
    <UnstyledButton component={Link} href={pathOfHit(env, hit)} className={styles['hit'] ?? ''}>
      <Group gap="xs" justify="space-between">
        <span className={`mono ${styles['path']}`}>{path === '' ? '(the whole text)' : path}</span>
        <Group gap={6}>
          {state === 'draft' && (
            <Badge color="yellow" variant="dot" size="sm">
              Draft
            </Badge>
          )}
          <Text size="xs" c="dimmed">
            {placeOfHit(hit)}, line {line}
          </Text>
        </Group>
      </Group>
      <Text size="sm" className={`mono ${styles['snippet']}`}>
        {match === 'key' && (
          <Text span inherit c="dimmed">
            {'key '}
          </Text>
        )}
        <Snippet hit={hit} />
      </Text>
    </UnstyledButton>
  );
}

function Snippet({ hit: { snippet, at, length } }: { readonly hit: SearchHit }) {
  return (
    <>
      {snippet.slice(0, at)}
      <mark className={styles['found']}>{snippet.slice(at, at + length)}</mark>
      {snippet.slice(at + length)}
    </>
  );
}
