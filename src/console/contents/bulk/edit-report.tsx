/** What an edit of many items would change: every value before and after, and what is left out and why. */
import { Badge, Box, Stack, Text } from '@mantine/core';
import type { EditReport } from '../../../contract/operations/contents/content-edits.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import styles from './bulk.module.css';
import {
  describeCounts,
  type EditKind,
  keptIds,
  type ReportRow,
  reportRows,
} from './report-rows.js';

export interface EditReportViewProps {
  readonly report: EditReport;
  readonly kind: EditKind;
}

/** Ids that are named; more of them are a number. */
const idsNamedMax = 50;

export function EditReportView({ report, kind }: EditReportViewProps) {
  const rows = reportRows(report);
  const { unchanged, missing } = keptIds(report);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} role="status">
        {describeCounts(report, kind)}
      </Text>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard as well.
        <section className={styles['report']} tabIndex={0} aria-label="What changes">
          <DataTable
            columns={kind === 'set' ? valueColumns : itemColumns}
            rows={rows}
            keyOf={({ key }) => key}
            verticalSpacing={6}
            rowsAtOnce={100}
          />
        </section>
      )}
      <Kept label="Without the path, left as they are" ids={missing} />
      <Kept label="Nothing to change in" ids={unchanged} />
    </Stack>
  );
}

function Kept({ label, ids }: { readonly label: string; readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const rest = ids.length - idsNamedMax;
  return (
    <Text size="sm" c="dimmed" className={styles['kept']}>
      {label}: <span className="mono">{ids.slice(0, idsNamedMax).join(', ')}</span>
      {rest > 0 && ` and ${rest} more`}
    </Text>
  );
}

const idColumn: Column<ReportRow> = {
  title: 'Content',
  isHeader: true,
  cell: ({ id, appVersion }) => (
    <Box className={styles['id']}>
      <span className="mono">{id}</span>
      {appVersion !== '' && <Text size="xs">from {appVersion}</Text>}
    </Box>
  ),
};

const notesColumn: Column<ReportRow> = {
  title: 'Notes',
  cell: ({ notes, isRejected }) => (
    <>
      {isRejected && (
        <Badge size="sm" variant="outline" color="red">
          left out
        </Badge>
      )}
      {notes.map((note) => (
        <Text key={note} size="xs">
          {note}
        </Text>
      ))}
    </>
  ),
};

const valueColumns: readonly Column<ReportRow>[] = [
  idColumn,
  {
    title: 'Before',
    cell: ({ before, after }) => (
      <Value text={before} absent={after === null ? '' : 'not there'} mark="before" />
    ),
  },
  { title: 'After', cell: ({ after }) => <Value text={after} absent="" mark="after" /> },
  notesColumn,
];

const itemColumns: readonly Column<ReportRow>[] = [idColumn, notesColumn];

interface ValueProps {
  /** JSON text; null: there is none. */
  readonly text: string | null;
  readonly absent: string;
  readonly mark: 'before' | 'after';
}

function Value({ text, absent, mark }: ValueProps) {
  if (text === null) return <Text size="xs">{absent}</Text>;
  return (
    <code className={styles['value']} data-mark={mark}>
      {text}
    </code>
  );
}
