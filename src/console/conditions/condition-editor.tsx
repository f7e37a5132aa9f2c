/** A condition, built visually or as JSON: both show the same, and neither loses what the other cannot show. */
import { Box, Group, Input, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import { CodeEditor } from '../parts/code/code-editor.js';
import { countRules, isIssue, readCondition } from './condition-query.js';

const ConditionBuilder = lazy(async () => ({
  default: (await import('./condition-builder.js')).ConditionBuilder,
}));

export interface ConditionEditorProps {
  /** JSON source of the condition, as typed. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly readOnly?: boolean;
  /** Names the group of controls to people who do not see it. */
  readonly label: string;
  /** What the server says is wrong with it. */
  readonly error?: string | null;
  /** Attributes that are offered, e.g. those of the sample users. */
  readonly attributes?: readonly string[];
  /** Whether anything else has an attribute. Left out: it is not known. */
  readonly isUsed?: (field: string) => boolean;
}

type View = 'builder' | 'json';

/** Each rule is a row of controls; longer conditions come from elsewhere and are read as JSON. */
const rulesShownMax = 150;

const noAttributes: readonly string[] = [];
const notKnown = (): boolean => true;

export function ConditionEditor(props: ConditionEditorProps) {
  const { value, onChange, readOnly = false, label, error = null } = props;
  const { attributes = noAttributes, isUsed = notKnown } = props;
  const [wanted, setWanted] = useState<View>('builder');
  const labelId = useId();
  const errorId = useId();
  const read = useMemo(() => readCondition(value), [value]);
  const cannot = isIssue(read)
    ? 'The builder shows it once the JSON is mended.'
    : countRules(read) > rulesShownMax
      ? `More than ${rulesShownMax} rules are edited as JSON.`
      : null;
  const view = cannot === null ? wanted : 'json';
  const fault = isIssue(read)
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
            attributes={attributes}
            isUsed={isUsed}
          />
        </Suspense>
      )}
      <Box id={errorId} aria-live="polite">
        {fault !== null && <Input.Error>{fault}</Input.Error>}
      </Box>
    </Stack>
  );
}
