/** All targeting rules as JSON, with marks at the issues. */
import { Alert, Box, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { isJson } from '../api/raw-json.js';
import { useDraft } from '../draft/draft-context.js';
import { CodeEditor, type CodeEditorHandle } from '../parts/code/code-editor.js';
import { findGrammarIssue } from '../parts/code/json-grammar.js';
import { prettyJson } from '../parts/code/pretty-json.js';
import { jsonMarks, mappingMarks } from './mapping-issues.js';

const width = 96;

export function MappingJson() {
  const { state, change, mayEdit, validation } = useDraft();
  const editor = useRef<CodeEditorHandle>(null);
  const text = state.mapping;
  const isPlain = useMemo(() => isJson(text), [text]);
  const hasOnlyComments = !isPlain && findGrammarIssue(text) === null && text.trim() !== '';
  const marks = useMemo(() => {
    if (!isPlain) return jsonMarks(text);
    if (validation?.state.mapping !== text) return [];
    return [
      ...mappingMarks(text, validation.errors, 'error'),
      ...mappingMarks(text, validation.warnings, 'warning'),
    ];
  }, [text, isPlain, validation]);
  const layOut = (): void => {
    editor.current?.flush();
    change({ mapping: prettyJson(text, width) });
  };
  return (
    <Stack gap="xs">
      {mayEdit && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={layOut}
            disabled={!isPlain}
            title={isPlain ? undefined : 'Only valid JSON can be formatted.'}
          >
            Format
          </Button>
        </Group>
      )}
      {hasOnlyComments && (
        <Alert color="yellow" variant="light" title="Targeting is plain JSON" role="status">
          <Text size="sm" mb="xs">
            It cannot contain comments or trailing commas. Use the note of a save for comments.
          </Text>
          <Button size="compact-sm" variant="default" onClick={layOut}>
            Remove them
          </Button>
        </Alert>
      )}
      <Box h="max(320px, calc(100vh - 380px))">
        <CodeEditor
          handle={editor}
          label="Targeting"
          value={text}
          onChange={(mapping) => change({ mapping })}
          readOnly={!mayEdit}
          marks={marks}
        />
      </Box>
      <div role="status">
        {marks.length > 0 && (
          <List size="sm" spacing={2}>
            {marks.slice(0, 30).map(({ line, column, message, severity }) => (
              <List.Item key={`${line}:${column}:${message}`}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  color={severity === 'error' ? 'red' : 'gray'}
                  onClick={() => editor.current?.goTo(line, column)}
                >
                  Line {line}
                </Button>{' '}
                {severity === 'warning' && 'Warning: '}
                {message}
              </List.Item>
            ))}
          </List>
        )}
      </div>
    </Stack>
  );
}
