/** Groups and columns of the list: of the address, else as the person last had them in this environment. */
import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../../session/session.js';
import type { ListView } from '../list-view.js';
import { sameColumns } from './column-names.js';
import { type ListLayout, plainLayout, readLayout, writeLayout } from './kept-layout.js';

export function useListLayout(
  env: string,
  view: Pick<ListView, 'grouping' | 'columns'>,
  onView: (change: Partial<ListView>) => void,
): readonly [ListLayout, (change: Partial<ListLayout>) => void] {
  const { name: user } = useSession();
  const [kept, setKept] = useState(() => readLayout({ user, env }));
  const { grouping, columns } = view;
  const layout = useMemo(
    () => ({ ...kept, grouping: grouping ?? kept.grouping, columns: columns ?? kept.columns }),
    [kept, grouping, columns],
  );
  const change = useCallback(
    (part: Partial<ListLayout>): void => {
      const next = { ...layout, ...part };
      setKept(next);
      writeLayout({ user, env }, next);
      if (part.grouping === undefined && part.columns === undefined) return;
      onView({
        grouping: next.grouping === plainLayout.grouping ? null : next.grouping,
        columns: sameColumns(next.columns, plainLayout.columns) ? null : next.columns,
      });
    },
    [layout, user, env, onView],
  );
  return [layout, change];
}
