/** What publishing would do: to made-up users of every rule, and to the sample users. For the dialogs that publish. */
import { Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type { Preview } from '../../contract/operations/preview.js';
import { wordsOf } from '../api/call.js';
import { type SampleUser, useSampleUsers } from './contexts/sample-users.js';
import { lineOfFirstContext } from './preview-call.js';
import { type EffectWish, useEffectPreview } from './preview-effect.js';
import { kindWords } from './results/answer-changes.js';
import { type ChangeGroup, groupChanges } from './results/change-groups.js';
import { percent, ruleChangeWords, untriedRules } from './results/rule-change-words.js';

export function EditEffect(wish: EffectWish) {
  const users = useSampleUsers(wish.saved.env);
  // Without them the made-up users still say most of it.
  const known = users.data ?? (users.error === null ? null : []);
  const effect = useEffectPreview(wish, known);
  if (effect.error !== null) {
    return (
      <Group gap="xs" role="alert">
        <Text size="sm">
          What it changes for whom is not known: {wordsOf(effect.error)} You can still publish.
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={effect.isFetching}
          onClick={() => void effect.refetch()}
        >
          Try again
        </Button>
      </Group>
    );
  }
  if (effect.data === undefined) {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Trying it on 1,000 made-up users and the sample users…</Text>
      </Group>
    );
  }
  return (
    <Stack gap="xs" role="status">
      <MadeUp preview={effect.data} />
      <Samples given={effect.data.given ?? null} users={known ?? []} error={users.error} />
    </Stack>
  );
}

const kindsShown = 4;
const pointersShown = 4;
const namesShown = 12;
const rulesShown = 6;

function MadeUp({ preview }: { readonly preview: Preview }) {
  const { contexts, changed, changes, ruleChanges } = preview;
  const rules = ruleChangeWords(ruleChanges);
  const groups = groupChanges(changes);
  const count = contexts.toLocaleString('en');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {changed.contexts === 0
          ? `No change for any of ${count} made-up users.`
          : `${changed.contexts.toLocaleString('en')} of ${count} made-up users (${percent(changed.share)}) would get something different.`}
      </Text>
      {rules.slice(0, rulesShown).map((words) => (
        <Text size="sm" fw={600} key={words} style={{ overflowWrap: 'anywhere' }}>
          {words}
        </Text>
      ))}
      {rules.length > rulesShown && (
        <Text size="sm">and people move in {rules.length - rulesShown} more rules.</Text>
      )}
      {groups.length > 0 && (
        <List size="sm" spacing={2} withPadding>
          {groups.slice(0, kindsShown).map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
            <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
              {group.contexts.toLocaleString('en')} {group.contexts === 1 ? 'user' : 'users'}:{' '}
              <HowItChanges group={group} />
            </List.Item>
          ))}
          {groups.length > kindsShown && (
            <List.Item>and {groups.length - kindsShown} rarer kinds of change</List.Item>
          )}
        </List>
      )}
      <Text size="xs" c="dimmed">
        {footnote(preview)}
      </Text>
    </Stack>
  );
}

/** What the figures are of, and what they leave out. */
function footnote(preview: Preview): string {
  const untried = untriedRules(preview);
  const anonymous = preview.madeUp?.withoutUserId;
  return [
    'These users are made up from the rules, live and edited. They are not a sample of your players. Only the shares within a test apply to real players.',
    untried.length === 0 ? '' : `Not tried, as no made-up user gets it: ${untried.join(', ')}.`,
    anonymous === undefined || anonymous.changed.contexts === 0
      ? ''
      : `Of ${anonymous.contexts} callers without a user id, who are all in bucket 0, ${anonymous.changed.contexts} would get something different.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function HowItChanges({ group }: { readonly group: ChangeGroup }) {
  const { kind, before, after, pointers } = group;
  const places = pointers ?? [];
  return (
    <>
      {kindWords[kind]}
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
      {before !== after &&
        kind !== 'gone' &&
        kind !== 'appeared' &&
        ` (rules: ${before} → ${after})`}
    </>
  );
}

interface SamplesProps {
  readonly given: Preview['given'];
  readonly users: readonly SampleUser[];
  readonly error: Error | null;
}

function Samples({ given, users, error }: SamplesProps) {
  if (error !== null) {
    return <Text size="sm">The sample users could not be read: {wordsOf(error)}</Text>;
  }
  if (given === null) {
    return (
      <Text size="sm">
        There are no sample users. Save some in the Preview tab, and you see here by name what an
        edit changes for them.
      </Text>
    );
  }
  const { changed, contexts, changes } = given;
  if (changed.contexts === 0) {
    return (
      <Text size="sm">
        No change for the {contexts} sample {contexts === 1 ? 'user' : 'users'}.
      </Text>
    );
  }
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {changed.contexts} of {contexts} sample {contexts === 1 ? 'user' : 'users'} would get
        something different.
      </Text>
      <List size="sm" spacing={2} withPadding>
        {groupChanges(changes).map((group, index) => {
          const named = group.examples
            .slice(0, namesShown)
            .map(({ at }) => users[at - lineOfFirstContext]?.name ?? '?');
          const more = group.contexts - named.length;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
            <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
              <b>{named.join(' · ')}</b>
              {more > 0 && ` and ${more} more`}: <HowItChanges group={group} />
            </List.Item>
          );
        })}
      </List>
    </Stack>
  );
}
