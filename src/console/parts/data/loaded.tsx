/** What a query loaded; until then a placeholder, or the error with a way to try again. */
import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from '../problem-alert.js';

export interface LoadedProps<Data> {
  /** As TanStack Query returns it. Data that was loaded stays while a later request fails. */
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** Names what is loading to screen readers. */
  readonly label: string;
  /** Rows of the placeholder. */
  readonly rows?: number;
  readonly rowHeight?: number;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, label, rows = 1, rowHeight = 160, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <Stack gap="xs" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} h={rowHeight} />
      ))}
    </Stack>
  );
}
