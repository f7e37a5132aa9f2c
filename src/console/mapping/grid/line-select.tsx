/** Chooses the app version line whose values are shown. */
import { Select } from '@mantine/core';
import type { GridLine } from './grid-model.js';

export interface LineSelectProps {
  readonly lines: readonly GridLine[];
  readonly value: string;
  readonly onChange: (appVersion: string) => void;
  readonly isDisabled?: boolean;
}

/** Nothing where there is only one. */
export function LineSelect({ lines, value, onChange, isDisabled = false }: LineSelectProps) {
  if (lines.length < 2) return null;
  return (
    <Select
      w={190}
      label="On app version line"
      data={lines.map(({ appVersion }) => appVersion)}
      value={value}
      onChange={(version) => version !== null && onChange(version)}
      allowDeselect={false}
      disabled={isDisabled}
    />
  );
}
