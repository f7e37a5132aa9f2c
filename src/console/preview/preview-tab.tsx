/** What players would get and why: one user in depth, or many at once, from the typed state, the draft or live. */
import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { useDraft } from '../draft/draft-context.js';
import { usePastedContexts } from './contexts/pasted-contexts.js';
import { ManyUsers } from './many-users.js';
import { OneUser } from './one-user.js';

type View = 'one' | 'many';

export function PreviewTab() {
  const [{ text }] = usePastedContexts(useDraft().saved.env);
  const isAsked = useSearch() !== '';
  const [view, setView] = useState<View>(text === '' || isAsked ? 'one' : 'many');
  return (
    <Stack gap="md">
      <SegmentedControl
        style={{ alignSelf: 'flex-start' }}
        aria-label="Preview for"
        value={view}
        onChange={(next) => setView(next === 'many' ? 'many' : 'one')}
        data={[
          { value: 'one', label: 'One user' },
          { value: 'many', label: 'Many users' },
        ]}
      />
      {/* Both stay, so that what was typed and counted is there on the way back. */}
      <div hidden={view !== 'one'}>
        <OneUser />
      </div>
      <div hidden={view !== 'many'}>
        <ManyUsers />
      </div>
    </Stack>
  );
}
