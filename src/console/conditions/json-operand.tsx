/** The operand of a condition as JSON: for lists of mixed values, objects, and all values without an input. */
import { Text } from '@mantine/core';
import { isJson } from '../api/raw-json.js';
import { CodeEditor } from '../parts/code/code-editor.js';
import { useTypedSource } from './use-typed-source.js';
import type { FrequentValue } from './value-options.js';

export interface OperandProps {
  readonly source: string;
  readonly onChange: (source: string) => void;
  readonly disabled: boolean;
  /** Names the input: `Value of condition 2`. */
  readonly name: string;
  /** Values that requests carry. */
  readonly frequent: readonly FrequentValue[];
}

export function JsonOperand({ source, onChange, disabled, name }: OperandProps) {
  const [typed, type] = useTypedSource(source, isJson, onChange);
  return (
    <>
      <CodeEditor
        value={typed}
        readOnly={disabled}
        label={`${name} as JSON`}
        minRows={1}
        maxRows={8}
        onChange={type}
      />
      {!isJson(typed) && (
        <Text size="xs" c="red" role="status">
          Not JSON yet. The last valid value is used.
        </Text>
      )}
    </>
  );
}
