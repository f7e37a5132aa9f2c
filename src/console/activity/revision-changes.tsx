/** What one revision of a content item or segment changed over another, text by text. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { RevisionState } from '../../contract/schemas/revision-state.js';
import { ApiProblem, requestText } from '../api/call.js';
import { sourceAt } from '../api/raw-json.js';
import { flagLines } from '../merge/part-accordion.js';
import { LazyDiffView } from '../parts/code/lazy.js';
import { Loaded } from '../parts/data/loaded.js';
import { pathOf } from '../parts/environments.js';
import { fetchSegmentRevision } from '../segments/segment-api.js';
import type { ComparedRevisions } from './event-changes.js';

/** The texts of a revision by their titles. */
type Texts = ReadonlyMap<string, string>;

export function RevisionChanges({ kind, env, id, from, to }: ComparedRevisions) {
  const textsOf = kind === 'content' ? contentTexts : segmentTexts;
  const changes = useQuery({
    queryKey: ['environments', env, `${kind}s`, id, 'revisions', 'compared', from, to],
    queryFn: async () => {
      const before = from === null ? new Map() : textsOf(env, id, from);
      return changedBetween(await before, await textsOf(env, id, to));
    },
    // Revisions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { error } = changes;
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <Text size="sm" c="dimmed">
        The change can no longer be shown: one of the revisions was removed.
      </Text>
    );
  }
  const isContent = kind === 'content';
  return (
    <Loaded query={changes} label="Loading what changed">
      {(changed) => (
        <Stack gap="md">
          {changed.length === 0 && (
            <Text size="sm" c="dimmed">
              {isContent ? 'No text, targeting or flag changed.' : 'The condition is the same.'}
            </Text>
          )}
          {changed.map(({ title, before, after }) => (
            <div key={title}>
              <Title order={2} size="sm" mb={4}>
                {title}
              </Title>
              <LazyDiffView
                before={before}
                after={after}
                beforeLabel={from === null ? 'Before: nothing' : `Revision ${from}`}
                afterLabel={`Revision ${to}`}
                maxRows={24}
              />
            </div>
          ))}
          <Anchor
            component={Link}
            href={pathOf[kind](env, id, 'history')}
            size="sm"
            underline="always"
          >
            The whole history of {id}
          </Anchor>
        </Stack>
      )}
    </Loaded>
  );
}

async function contentTexts(env: string, id: string, revision: number): Promise<Texts> {
  const params = { env, id, revision: String(revision) };
  const route = 'GET /environments/:env/contents/:id/revisions/:revision';
  const json = await requestText(route, { params });
  // Parsing does not change the texts, which are strings; it would change numbers of the mapping.
  const { lines, flags } = JSON.parse(json) as RevisionState;
  const mapping = sourceAt(json, ['mapping']) ?? '[]';
  return new Map([
    ...lines.map(({ appVersion, text }) => [`App version line ${appVersion}`, text] as const),
    ['Targeting', mapping === '[]' ? '' : mapping],
    ['Flags', flagLines(flags)],
  ]);
}

async function segmentTexts(env: string, name: string, revision: number): Promise<Texts> {
  const { formatCondition } = await import('../conditions/condition-query.js');
  const { when } = await fetchSegmentRevision(env, name, revision);
  return new Map([['Condition', formatCondition(when)]]);
}

function changedBetween(before: Texts, after: Texts) {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((title) => ({ title, before: before.get(title) ?? '', after: after.get(title) ?? '' }))
    .filter((text) => text.before !== text.after);
}
