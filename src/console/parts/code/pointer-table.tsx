/** Where two JSON documents differ, and what stood there before and after. */
import { Badge, Code, Table, Text } from '@mantine/core';

export interface PointerRow {
  /** Of which document; '' where there is only one. */
  readonly where: string;
  /** JSON pointer, or words for a place; '' is the whole document. */
  readonly path: string;
  readonly change: string;
  /** JSON text; null: there was nothing, or the document is shown elsewhere. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface PointerTableProps {
  readonly rows: readonly PointerRow[];
  readonly label?: string;
  /** Headings of the values. */
  readonly before?: string;
  readonly after?: string;
}

export function PointerTable(props: PointerTableProps) {
  const {
    rows,
    label = 'Changed values',
    before: old = 'Before',
    after: present = 'After',
  } = props;
  return (
    <Table.ScrollContainer
      minWidth={480}
      maxHeight={300}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table stickyHeader verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Where</Table.Th>
            <Table.Th>Change</Table.Th>
            <Table.Th>{old}</Table.Th>
            <Table.Th>{present}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ where, path, change, before, after }) => (
            <Table.Tr key={`${where} ${path} ${change}`}>
              <Table.Td>
                {where !== '' && (
                  <Text size="xs" c="dimmed">
                    {where}
                  </Text>
                )}
                <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
                  {path === '' ? 'whole document' : path}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge size="sm" variant="dot" color={colourOf(change)}>
                  {change}
                </Badge>
              </Table.Td>
              <Table.Td>{before === null ? null : <Value text={before} />}</Table.Td>
              <Table.Td>{after === null ? null : <Value text={after} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Value({ text }: { readonly text: string }) {
  return <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{text}</Code>;
}

function colourOf(change: string): string {
  return change === 'added' ? 'teal' : change === 'removed' ? 'red' : 'gray';
}
