/** The operand of a rule as JSON: for lists of mixed values, objects and whatever else has no input of its own. */

import { Text } from '@mantine/core';
import { useState } from 'react';
import { isJson } from '../api/raw-json.js';
import { CodeEditor } from '../parts/code/code-editor.js';

export interface OperandProps {
  readonly source: string;
  readonly onChange: (source: string) => void;
  readonly disabled: boolean;
  /** Names the input: `Value of rule 2`. */
  readonly name: string;
}

export function JsonOperand({ source, onChange, disabled, name }: OperandProps) {
  const [typed, setTyped] = useState({ source, text: source });
  if (typed.source !== source) setTyped({ source, text: source });
  const isValue = isJson(typed.text);
  return (
    <>
      <CodeEditor
        value={typed.text}
        readOnly={disabled}
        label={`${name} as JSON`}
        minRows={1}
        maxRows={8}
        onChange={(text) => {
          const next = isJson(text) ? text : source;
          setTyped({ source: next, text });
          if (next !== source) onChange(next);
        }}
      />
      {!isValue && (
        <Text size="xs" c="red" role="status">
          Not JSON yet; what was there before still counts.
        </Text>
      )}
    </>
  );
}
