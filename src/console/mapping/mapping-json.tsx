/** The whole mapping as JSON, with what is wrong with it at its place. */
import { Alert, Box, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { isJson } from '../api/raw-json.js';
import { useDraft } from '../draft/draft-context.js';
import { CodeEditor, type CodeEditorHandle } from '../parts/code/code-editor.js';
import { grammarFault } from '../parts/code/code-marks.js';
import { jsonMarks, mappingMarks } from './mapping-faults.js';
import { prettyJson } from './pretty-json.js';

const width = 96;

export function MappingJson() {
  const { state, change, mayEdit, validation } = useDraft();
  const editor = useRef<CodeEditorHandle>(null);
  const text = state.mapping;
  const isPlain = useMemo(() => isJson(text), [text]);
  const hasOnlyComments = !isPlain && grammarFault(text) === null && text.trim() !== '';
  const marks = useMemo(() => {
    if (!isPlain) return jsonMarks(text, 'mapping');
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
            title={isPlain ? undefined : 'What is not JSON cannot be formatted.'}
          >
            Format
          </Button>
        </Group>
      )}
      {hasOnlyComments && (
        <Alert color="yellow" variant="light" title="A mapping is plain JSON" role="status">
          <Text size="sm" mb="xs">
            It cannot keep comments and trailing commas; the note of a save can say why.
          </Text>
          <Button size="compact-sm" variant="default" onClick={layOut}>
            Remove them
          </Button>
        </Alert>
      )}
      <Box h="max(320px, calc(100vh - 380px))">
        <CodeEditor
          handle={editor}
          label="Mapping"
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
