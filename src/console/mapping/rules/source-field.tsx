/** A value of a rule that the console can only show as its JSON source. */
import { Stack, Text } from '@mantine/core';
import { LazyCodeEditor } from '../../parts/code/lazy.js';
import { jsonMarks } from '../mapping-issues.js';
import type { JsonPath } from './json-source.js';
import { useRule } from './rule-handle.js';

export interface SourceFieldProps {
  readonly label: string;
  /** In the rule; empty: the rule itself. */
  readonly path: JsonPath;
  readonly hint: string;
}

export function SourceField({ label, path, hint }: SourceFieldProps) {
  const { type, broken, sourceAt, readOnly } = useRule();
  const source = broken(path) ?? sourceAt(path) ?? '';
  return (
    <Stack gap="xs">
      <Text size="sm">{hint}</Text>
      <LazyCodeEditor
        label={label}
        value={source}
        onChange={(text) => type(path, text)}
        marks={jsonMarks(source)}
        readOnly={readOnly}
        minRows={3}
        maxRows={18}
      />
    </Stack>
  );
}
