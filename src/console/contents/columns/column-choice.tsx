/** How the list is arranged: its groups, and which columns it has. */
import { Button, Checkbox, Popover, Radio, Stack } from '@mantine/core';
import { IconLayoutColumns } from '../../icons/icons.js';
import { type Grouping, groupings } from '../rows/list-groups.js';
import { allColumns, type ColumnName, columnLabels, defaultColumns } from './column-names.js';
import type { ListLayout } from './kept-layout.js';

const groupingLabels: Readonly<Record<Grouping, string>> = {
  none: 'No groups',
  prefix: 'First part of the id',
  tag: 'Tag',
};

export interface ColumnChoiceProps {
  readonly layout: ListLayout;
  readonly onChange: (change: Partial<Pick<ListLayout, 'grouping' | 'columns'>>) => void;
}

export function ColumnChoice({ layout, onChange }: ColumnChoiceProps) {
  const { grouping, columns } = layout;
  const isDefault = columns.join() === defaultColumns.join();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconLayoutColumns size={16} aria-hidden />}
          aria-haspopup="dialog"
        >
          View
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="View of the list">
        <Stack gap="md">
          <Radio.Group
            label="Group by"
            value={grouping}
            onChange={(value) =>
              onChange({ grouping: groupings.find((one) => one === value) ?? 'none' })
            }
          >
            <Stack gap={6} mt={6}>
              {groupings.map((one) => (
                <Radio key={one} value={one} label={groupingLabels[one]} />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox.Group
            label="Columns"
            value={[...columns]}
            onChange={(chosen: string[]) => onChange({ columns: inOrder(chosen) })}
          >
            <Stack gap={6} mt={6}>
              {allColumns.map((name) => (
                <Checkbox key={name} value={name} label={columnLabels[name]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Button
            variant="default"
            size="xs"
            disabled={isDefault && grouping === 'none'}
            onClick={() => onChange({ grouping: 'none', columns: defaultColumns })}
          >
            Reset
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function inOrder(chosen: readonly string[]): ColumnName[] {
  return allColumns.filter((name) => chosen.includes(name));
}
