/** A condition to read. */
import { Box, Code, Text } from '@mantine/core';
import { formatJsonc } from '../parts/code/format-jsonc.js';

export interface ConditionTextProps {
  readonly label: string;
  /** JSON text, perhaps cut; null: there is none. */
  readonly condition: string | null;
}

export function ConditionText({ label, condition }: ConditionTextProps) {
  return (
    <Box miw={0}>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      {condition === null ? (
        <Text size="sm">There is none.</Text>
      ) : (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {condition.endsWith('…') ? condition : formatJsonc(condition)}
        </Code>
      )}
    </Box>
  );
}
