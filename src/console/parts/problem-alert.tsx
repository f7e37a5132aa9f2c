/** Shows the server's message about a failure, and a way to try again. */
import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { ApiProblem, wordsOf } from '../api/call.js';
import { IconAlertTriangle } from '../icons/icons.js';

export interface ProblemAlertProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

export function ProblemAlert({ error, title, onRetry }: ProblemAlertProps) {
  const errors = error instanceof ApiProblem ? error.errors : [];
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? 'That did not work'}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{wordsOf(error)}</Text>
        {errors.length > 0 && (
          <List size="sm" withPadding>
            {errors.map(({ path, message, line, column }) => (
              <List.Item key={`${path}:${line}:${column}:${message}`}>
                <span className="mono">{path}</span>
                {place(line, column)}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function place(line: number | undefined, column: number | undefined): string {
  if (line === undefined) return '';
  return column === undefined ? ` (line ${line})` : ` (line ${line}, column ${column})`;
}
