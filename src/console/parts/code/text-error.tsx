/** Shown in place of a view of a text that is not JSON: what is wrong, and the way to it. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TextIssue } from '../../../content/json/text-issue.js';
import { EmptyState } from '../empty-state.js';

export interface TextErrorProps {
  /** Icon of the view. */
  readonly icon: ReactNode;
  readonly issue: TextIssue;
  /** Shows the text at a place, both from 1. */
  readonly onGoTo: (line: number, column: number) => void;
}

export function TextError({ icon, issue, onGoTo }: TextErrorProps) {
  const { line, column, message } = issue;
  return (
    <EmptyState
      icon={icon}
      title="The text has an error"
      action={
        <Button variant="default" onClick={() => onGoTo(line, column)}>
          Go to line {line}
        </Button>
      }
    >
      Line {line}, column {column}: {message}
    </EmptyState>
  );
}
