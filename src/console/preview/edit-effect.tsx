/** What the edit changes for the sample users: the summary of who publishes. */
import { Group, List, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { wordsOf } from '../api/call.js';
import { useDraft } from '../content/draft-context.js';
import { kindWords } from './answer-changes.js';
import { groupChanges } from './change-groups.js';
import { numberOfState } from './evaluate.js';
import { type ManyPreview, previewMany } from './preview-many.js';
import { type SampleUser, useSampleUsers } from './sample-users.js';
import { contextOf } from './user-context.js';

export function EditEffect() {
  const { saved, state } = useDraft();
  const { env, id, newest, live } = saved;
  const users = useSampleUsers(env);
  const contexts = (users.data ?? []).map(({ context }, index) => ({
    source: context,
    at: index,
    v: contextOf(context).v,
  }));
  const names = contexts.map(({ source }) => source).join('\n');
  const effect = useQuery({
    queryKey: [
      ...['environments', env, 'contents', id, 'edit-effects', newest, live],
      numberOfState(state),
      names,
    ],
    queryFn: ({ signal }) => previewMany(saved, state, contexts, signal),
    enabled: contexts.length > 0,
    gcTime: 30_000,
  });
  const error = users.error ?? effect.error;
  if (error !== null) {
    return (
      <Text size="sm">What it changes for the sample users is not known: {wordsOf(error)}</Text>
    );
  }
  if (users.data?.length === 0) {
    return (
      <Text size="sm">
        There are no sample users to try it on. Save some in the Preview tab, and you see here what
        an edit changes for them.
      </Text>
    );
  }
  if (effect.data === undefined) {
    return (
      <Group gap="xs">
        <Loader size="xs" />
        <Text size="sm">Trying it on the sample users…</Text>
      </Group>
    );
  }
  return <Effect preview={effect.data} users={users.data ?? []} />;
}

const pointersShown = 4;
const namesShown = 12;

interface EffectProps {
  readonly preview: ManyPreview;
  readonly users: readonly SampleUser[];
}

function Effect({ preview, users }: EffectProps) {
  const { changed, contexts, changes } = preview;
  if (changed === 0) {
    return (
      <Text size="sm" role="status">
        None of the {contexts} sample {contexts === 1 ? 'user' : 'users'} would be answered
        otherwise than now.
      </Text>
    );
  }
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600}>
        {changed} of {contexts} sample {contexts === 1 ? 'user' : 'users'} would be answered
        otherwise than now
      </Text>
      <List size="sm" spacing={4} withPadding>
        {groupChanges(changes).map((change, index) => {
          const named = change.examples
            .slice(0, namesShown)
            .map(({ at }) => users[at]?.name ?? '?');
          const more = change.contexts - named.length;
          const places = change.pointers ?? [];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
            <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
              <b>{named.join(', ')}</b>
              {more > 0 && ` and ${more} more`}: {kindWords[change.kind]}
              {places.length > 0 && (
                <>
                  {' at '}
                  <span className="mono">
                    {places
                      .slice(0, pointersShown)
                      .map(({ path }) => (path === '' ? 'the whole' : path))
                      .join(', ')}
                  </span>
                  {places.length > pointersShown && ` and ${places.length - pointersShown} more`}
                </>
              )}
            </List.Item>
          );
        })}
      </List>
      {changed < contexts && <Text size="sm">For the others nothing changes.</Text>}
    </Stack>
  );
}
