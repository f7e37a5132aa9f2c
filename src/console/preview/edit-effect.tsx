/** What publishing would change for made-up users of every rule, and for the sample users. For the dialogs that publish. */
import { Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Preview } from '../../contract/operations/preview.js';
import { counted } from '../parts/counted.js';
import { type SampleUser, useSampleUsers } from './contexts/sample-users.js';
import { lineOfFirstContext } from './preview-call.js';
import { type EffectOptions, useEffectPreview } from './preview-effect.js';
import { type ChangeGroup, groupChanges, kindTexts } from './results/change-groups.js';
import { describeRuleChanges, percent, untriedRules } from './results/describe-rule-changes.js';

export function EditEffect(options: EffectOptions) {
  const users = useSampleUsers(options.saved.env);
  // Without them the made-up users still show most of the effect.
  const known = users.data ?? (users.error === null ? null : []);
  const effect = useEffectPreview(options, known);
  if (effect.error !== null) {
    return (
      <Group gap="xs" role="alert">
        <Text size="sm">
          The effect on players is unknown: {effect.error.message} You can still publish.
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
  const rules = describeRuleChanges(ruleChanges);
  const groups = groupChanges(changes);
  const count = contexts.toLocaleString('en');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {changed.contexts === 0
          ? `No change for any of ${count} made-up users.`
          : `${changed.contexts.toLocaleString('en')} of ${count} made-up users (${percent(changed.share)}) would get something different.`}
      </Text>
      {rules.slice(0, rulesShown).map((sentence) => (
        <Text size="sm" fw={600} key={sentence} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {rules.length > rulesShown && (
        <Text size="sm">and users move in {rules.length - rulesShown} more rules.</Text>
      )}
      <ChangeList
        groups={groups.slice(0, kindsShown)}
        label={(group) => counted(group.contexts, 'user')}
      >
        {groups.length > kindsShown && (
          <List.Item>and {groups.length - kindsShown} rarer kinds of change</List.Item>
        )}
      </ChangeList>
      <Text size="xs" c="dimmed">
        {footnote(preview)}
      </Text>
    </Stack>
  );
}

/** What the figures count, and what they leave out. */
function footnote(preview: Preview): string {
  const untried = untriedRules(preview).join(', ');
  const anonymous = preview.madeUp?.withoutUserId;
  return [
    'These users are made up from the rules, live and edited. They are not a sample of your players. Only the shares within a test apply to real players.',
    untried !== '' && `Not tried, as no made-up user gets it: ${untried}.`,
    anonymous !== undefined &&
      anonymous.changed.contexts > 0 &&
      `Of ${anonymous.contexts} users without a user id, all in bucket 0, ${anonymous.changed.contexts} would get something different.`,
  ]
    .filter(Boolean)
    .join(' ');
}

interface ChangeListProps {
  readonly groups: readonly ChangeGroup[];
  readonly label: (group: ChangeGroup) => ReactNode;
  readonly children?: ReactNode;
}

function ChangeList({ groups, label, children }: ChangeListProps) {
  if (groups.length === 0) return null;
  return (
    <List size="sm" spacing={2} withPadding>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
          {label(group)}: {kindTexts[group.kind]}
          <Places pointers={group.pointers ?? []} />
          {group.rules !== null && ` (rules: ${group.rules})`}
        </List.Item>
      ))}
      {children}
    </List>
  );
}

function Places({ pointers }: { readonly pointers: NonNullable<ChangeGroup['pointers']> }) {
  if (pointers.length === 0) return null;
  const shown = pointers.slice(0, pointersShown);
  return (
    <>
      {' at '}
      <span className="mono">{shown.map(({ path }) => path || 'the whole').join(', ')}</span>
      {pointers.length > pointersShown && ` and ${pointers.length - pointersShown} more`}
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
    return <Text size="sm">The sample users could not be read: {error.message}</Text>;
  }
  if (given === null) {
    return (
      <Text size="sm">
        There are no sample users. Save some in the Preview tab to see here by name what an edit
        changes for them.
      </Text>
    );
  }
  const { changed, contexts, changes } = given;
  if (changed.contexts === 0) {
    return <Text size="sm">No change for the {counted(contexts, 'sample user')}.</Text>;
  }
  const nameOf = ({ at }: { at: number }) => users[at - lineOfFirstContext]?.name ?? '?';
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {changed.contexts} of {counted(contexts, 'sample user')} would get something different.
      </Text>
      <ChangeList
        groups={groupChanges(changes)}
        label={(group) => {
          const named = group.examples.slice(0, namesShown).map(nameOf);
          const more = group.contexts - named.length;
          return (
            <>
              <b>{named.join(' · ')}</b>
              {more > 0 && ` and ${more} more`}
            </>
          );
        }}
      />
    </Stack>
  );
}
