/** What a rule changes: as values by place and variant, or as the source of its changes. */
import { Group, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import type { Tokens } from '../../../content/derive/plain-value.js';
import { ValuesPanel } from '../grid/values-panel.js';
import { describeIssue } from '../mapping-issues.js';
import { useRule } from './rule-handle.js';

type View = 'values' | 'source';

const views: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'values', label: 'Values' },
  { value: 'source', label: 'Source' },
];

/** @param children the editors of the source */
export function ChangeEditor({ children }: { readonly children: ReactNode }) {
  const labelId = useId();
  const [view, setView] = useState<View>('values');
  const [added, setAdded] = useState<readonly Tokens[]>([]);
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between">
        <Input.Label component="div" id={labelId}>
          What players get
        </Input.Label>
        <SegmentedControl
          aria-labelledby={labelId}
          size="xs"
          value={view}
          onChange={(value) => setView(value as View)}
          data={[...views]}
        />
      </Group>
      {view === 'values' ? (
        <>
          <ValuesPanel added={added} onAdded={setAdded} />
          <ChangeIssues />
        </>
      ) : (
        children
      )}
    </Stack>
  );
}

const changePath = /(?:^|\.)(?:merge|patch|replace)(?:$|[.[])/;

/** The server's issues of the changes, which Source shows at each. */
function ChangeIssues() {
  const { errors, warnings } = useRule();
  const ofChange = (issues: typeof errors) => issues.filter(({ path }) => changePath.test(path));
  const [found, warned] = [ofChange(errors), ofChange(warnings)];
  if (found.length + warned.length === 0) return null;
  return (
    <Stack gap={4} role="status">
      {found.map((issue) => (
        <Text key={`${issue.path} ${issue.message}`} size="sm" c="var(--mantine-color-error)">
          {describeIssue(issue)}
        </Text>
      ))}
      {warned.map((issue) => (
        <Text key={`${issue.path} ${issue.message}`} size="sm">
          <b>Warning:</b> {describeIssue(issue)}
        </Text>
      ))}
    </Stack>
  );
}
