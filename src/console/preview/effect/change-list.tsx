/** Users by how their responses change. */
import { List } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ChangeGroup, kindTexts } from '../results/change-groups.js';

export interface ChangeListProps {
  readonly groups: readonly ChangeGroup[];
  readonly label: (group: ChangeGroup) => ReactNode;
  readonly children?: ReactNode;
}

const pointersShown = 4;

export function ChangeList({ groups, label, children }: ChangeListProps) {
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
