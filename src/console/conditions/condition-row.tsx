/** One condition of the builder: its controls in a row, or an editor for a condition without controls. */
import { ActionIcon, Box, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Rule, type RuleProps, remove, update } from 'react-querybuilder';
import { IconX } from '../icons/icons.js';
import { CodeEditor } from '../parts/code/code-editor.js';
import { formatPath } from './builder-context.js';
import styles from './condition-builder.module.css';
import { isIssue, jsonOperator, readCondition } from './condition-query.js';
import { focusBracketAround } from './focus-after-removal.js';
import { useTypedSource } from './use-typed-source.js';

export function ConditionRow(props: RuleProps) {
  return props.rule.operator === jsonOperator ? <JsonRow {...props} /> : <Rule {...props} />;
}

function JsonRow({ rule, path, schema, disabled }: RuleProps) {
  const [typed, type] = useTypedSource(String(rule.value), isReadable, (text) =>
    schema.dispatchQuery(update(schema.getQuery(), 'value', text, path)),
  );
  const read = useMemo(() => readCondition(typed), [typed]);
  return (
    <Box className={styles['json']}>
      <Box flex={1} miw={0}>
        <CodeEditor
          value={typed}
          onChange={type}
          readOnly={disabled === true}
          label={`Condition ${formatPath(path)} as JSON`}
          minRows={2}
          maxRows={10}
          marks={isIssue(read) ? [{ ...read, severity: 'error' }] : []}
        />
        <Text size="xs" c={isIssue(read) ? 'red' : 'dimmed'} aria-live="polite">
          {isIssue(read)
            ? `${read.message} The last valid condition is used until this is fixed.`
            : 'The builder has no controls for this part. Edit it as JSON.'}
        </Text>
      </Box>
      {disabled !== true && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Remove condition ${formatPath(path)}`}
          onClick={(event) => {
            focusBracketAround(event.currentTarget, false);
            schema.dispatchQuery(remove(schema.getQuery(), path));
          }}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Box>
  );
}

function isReadable(source: string): boolean {
  return !isIssue(readCondition(source));
}
