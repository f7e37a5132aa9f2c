/** One rule of the builder: its controls in a row, or an editor for a condition that has no controls. */
import { ActionIcon, Box, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Rule, type RuleProps, remove, update } from 'react-querybuilder';
import { CodeEditor } from '../parts/code/code-editor.js';
import { wordPath } from './builder-context.js';
import styles from './condition-builder.module.css';
import { isIssue, jsonOperator, readCondition } from './condition-query.js';
import { focusGroupAround } from './focus-after-removal.js';

export function ConditionRow(props: RuleProps) {
  return props.rule.operator === jsonOperator ? <JsonRow {...props} /> : <Rule {...props} />;
}

function JsonRow({ rule, path, schema, disabled }: RuleProps) {
  const saved = String(rule.value);
  const [typed, setTyped] = useState({ saved, text: saved });
  if (typed.saved !== saved) setTyped({ saved, text: saved });
  const read = useMemo(() => readCondition(typed.text), [typed.text]);
  const name = `Rule ${wordPath(path)} as JSON`;
  const change = (text: string): void => {
    if (isIssue(readCondition(text))) {
      setTyped({ saved, text });
      return;
    }
    setTyped({ saved: text, text });
    schema.dispatchQuery(update(schema.getQuery(), 'value', text, path));
  };
  return (
    <Box className={styles['json']}>
      <Box flex={1} miw={0}>
        <CodeEditor
          value={typed.text}
          onChange={change}
          readOnly={disabled === true}
          label={name}
          minRows={2}
          maxRows={10}
          marks={isIssue(read) ? [{ ...read, severity: 'error' }] : []}
        />
        <Text size="xs" c={isIssue(read) ? 'red' : 'dimmed'} aria-live="polite">
          {isIssue(read)
            ? `${read.message} The condition keeps what it was before, until this is mended.`
            : 'The builder has no controls for this part: it is kept and edited as JSON.'}
        </Text>
      </Box>
      {disabled !== true && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Remove rule ${wordPath(path)}`}
          onClick={(event) => {
            focusGroupAround(event.currentTarget, false);
            schema.dispatchQuery(remove(schema.getQuery(), path));
          }}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Box>
  );
}
