/** The paths of an envelope as a table that renders only the visible rows. */
import { Badge, Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { type TableColumn, VirtualTable } from '../../contents/virtual-table.js';
import { severityColours, severityLabels } from '../../findings/finding-words.js';
import { guardOfPath } from './guard-of-path.js';
import type { ValueChange, ValueRow } from './value-rows.js';
import { formatSources, formatValues } from './value-words.js';
import styles from './values.module.css';

const changeColours: Readonly<Record<ValueChange, string>> = {
  added: 'teal',
  changed: 'blue',
  removed: 'red',
  same: 'gray',
};

export interface ValuesTableProps {
  readonly label: string;
  readonly rows: readonly ValueRow[];
  /** Whether each row names its version line. */
  readonly hasVersions: boolean;
  /** Null: the user cannot add guards. */
  readonly onGuard: ((guard: GuardInput) => void) | null;
}

const keyOf = ({ key }: ValueRow): string => key;

export function ValuesTable({ label, rows, hasVersions, onGuard }: ValuesTableProps) {
  const columns = useMemo(() => columnsOf(hasVersions, onGuard), [hasVersions, onGuard]);
  return (
    <VirtualTable
      label={label}
      rows={rows}
      keyOf={keyOf}
      columns={columns}
      sort=""
      isDescending={false}
      onSort={() => {}}
    />
  );
}

function columnsOf(
  hasVersions: boolean,
  onGuard: ValuesTableProps['onGuard'],
): TableColumn<ValueRow, string>[] {
  const columns: TableColumn<ValueRow, string>[] = [
    {
      ...{ name: 'path', label: 'Path', className: styles['path'] },
      cell: (row) => <PathCell row={row} hasVersions={hasVersions} />,
    },
    {
      ...{ name: 'values', label: 'Values', className: styles['values'] },
      cell: (row) => <ValuesCell row={row} />,
    },
    {
      ...{ name: 'live', label: 'Live now', className: styles['live'] },
      cell: ({ live, change }) =>
        change === 'same' ? (
          <Text size="sm" c="dimmed">
            the same
          </Text>
        ) : (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {live === null ? 'not there' : formatValues(live)}
          </Text>
        ),
    },
  ];
  if (onGuard === null) return columns;
  return [
    ...columns,
    {
      ...{ name: 'guard', label: 'Guard', className: styles['guard'], isLabelHidden: true },
      cell: ({ path, live, now }) => {
        // What players have now is allowed; a number that was just mistyped is not.
        const allowed = live ?? now;
        if (allowed === null || now === null) return null;
        return (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Guard this value: ${path}`}
            onClick={() => onGuard(guardOfPath(allowed))}
          >
            Guard…
          </Button>
        );
      },
    },
  ];
}

interface CellProps {
  readonly row: ValueRow;
}

function PathCell({ row, hasVersions }: CellProps & { readonly hasVersions: boolean }) {
  const { appVersion, path, change, findings } = row;
  return (
    <>
      {hasVersions && (
        <Text size="xs" c="dimmed">
          {appVersion}
        </Text>
      )}
      <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
        {path === '' ? 'the whole document' : path}
      </Text>
      <Group gap={6}>
        {change !== 'same' && (
          <Badge size="sm" variant="dot" color={changeColours[change]}>
            {change}
          </Badge>
        )}
        {findings.slice(0, 1).map(({ severity }) => (
          <Badge key={severity} size="sm" variant="dot" color={severityColours[severity]}>
            {severityLabels[severity]}
          </Badge>
        ))}
      </Group>
      <div className={styles['narrow']}>
        <ValuesCell row={row} />
      </div>
    </>
  );
}

function ValuesCell({ row: { now, appVersion, findings } }: CellProps) {
  if (now === null) return <Text size="sm">no longer there</Text>;
  const sources = formatSources(now, appVersion);
  return (
    <>
      <Text size="sm" fw={findings.length > 0 ? 600 : 400} style={{ overflowWrap: 'anywhere' }}>
        {formatValues(now)}
        {!now.always && (
          <Text span size="xs" c="dimmed">
            {' '}
            (not for all)
          </Text>
        )}
      </Text>
      {sources !== '' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {sources}
        </Text>
      )}
    </>
  );
}
