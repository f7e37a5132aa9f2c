/** Shows a chart as the table of its figures. */
import { Switch } from '@mantine/core';

export interface TableSwitchProps {
  readonly asTable: boolean;
  readonly onChange: (asTable: boolean) => void;
}

export function TableSwitch({ asTable, onChange }: TableSwitchProps) {
  return (
    <Switch
      size="sm"
      label="As a table"
      checked={asTable}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
