/** The editor of a condition, as a builder or as JSON; neither loses what the other cannot show. */
import { Box, Group, Input, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import { CodeEditor } from '../parts/code/code-editor.js';
import { countRules, isIssue, readCondition } from './condition-query.js';
import type { OfferedAttributes } from './use-attributes.js';

const ConditionBuilder = lazy(async () => ({
  default: (await import('./condition-builder.js')).ConditionBuilder,
}));

export interface ConditionEditorProps {
  /** JSON source of the condition, as typed. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly readOnly?: boolean;
  /** For screen readers. */
  readonly label: string;
  /** The server's error. */
  readonly error?: string | null;
  /** Attributes and values to offer. Left out: none are known. */
  readonly offered?: OfferedAttributes;
}

type View = 'builder' | 'json';

/** Each rule is a row of controls; longer conditions are edited as JSON. */
const rulesShownMax = 150;

const nothingKnown: OfferedAttributes = {
  attributes: [],
  doubtOf: () => null,
  valuesOf: () => [],
};

export function ConditionEditor(props: ConditionEditorProps) {
  const { value, onChange, readOnly = false, label, error = null } = props;
  const { offered = nothingKnown } = props;
  const [wanted, setWanted] = useState<View>('builder');
  const labelId = useId();
  const errorId = useId();
  const read = useMemo(() => readCondition(value), [value]);
  const cannot = isIssue(read)
    ? 'Fix the JSON to use the builder.'
    : countRules(read) > rulesShownMax
      ? `The builder shows at most ${rulesShownMax} conditions.`
      : null;
  const view = cannot === null ? wanted : 'json';
  const message = isIssue(read)
    ? `Line ${read.line}, column ${read.column}: ${read.message}`
    : error === ''
      ? null
      : error;
  return (
    <Stack gap={6} role="group" aria-labelledby={labelId}>
      <Group justify="space-between" gap="xs">
        <Input.Label component="span" id={labelId}>
          {label}
        </Input.Label>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => setWanted(next === 'json' ? 'json' : 'builder')}
          aria-label={`${label}: shown as`}
          data={[
            { value: 'builder', label: 'Builder', disabled: cannot !== null },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {view === 'json' ? (
        <Box>
          <CodeEditor
            value={value}
            onChange={onChange}
            readOnly={readOnly}
            label={`${label} as JSON`}
            minRows={4}
            maxRows={24}
            describedBy={errorId}
            marks={isIssue(read) ? [{ ...read, severity: 'error' }] : []}
          />
          {cannot !== null && (
            <Text size="xs" c="dimmed" mt={4}>
              {cannot}
            </Text>
          )}
        </Box>
      ) : (
        <Suspense fallback={<Skeleton height={96} />}>
          <ConditionBuilder
            value={value}
            onChange={onChange}
            readOnly={readOnly}
            offered={offered}
          />
        </Suspense>
      )}
      <Box id={errorId} aria-live="polite">
        {message !== null && <Input.Error>{message}</Input.Error>}
      </Box>
    </Stack>
  );
}
