/** What an edit changes for the sample users, by name. */
import { Stack, Text } from '@mantine/core';
import type { Preview } from '../../../contract/operations/preview.js';
import { counted } from '../../parts/counted.js';
import type { SampleUser } from '../contexts/sample-users.js';
import { lineOfFirstContext } from '../preview-call.js';
import { groupChanges } from '../results/change-groups.js';
import { ChangeList } from './change-list.js';

export interface SampleEffectProps {
  readonly given: Preview['given'];
  readonly users: readonly SampleUser[];
  /** Why the sample users are not known. */
  readonly error: Error | null;
}

const namesShown = 12;

export function SampleEffect({ given, users, error }: SampleEffectProps) {
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
