/** Every open warning of what is about to be published, above the button that does it. */
import { Group, Loader, Text } from '@mantine/core';
import type { ValidationIssue } from '../../../contract/problems.js';
import { formatPlace } from '../../draft/issue-place.js';
import { IssueAlert } from '../../findings/issue-alert.js';
import { describeMappingIssue } from '../../mapping/mapping-issues.js';
import type { PublishCheck } from './publish-check.js';

export interface OpenWarningsProps extends PublishCheck {
  /** How many version lines the state has: with several, each issue names its line. */
  readonly lines: number;
}

export function OpenWarnings({ validation, error, lines }: OpenWarningsProps) {
  if (validation === null) {
    return error === null ? (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">Checking it…</Text>
      </Group>
    ) : (
      <Text size="sm" role="alert">
        It could not be checked for warnings: {error.message}
      </Text>
    );
  }
  return (
    <>
      <Issues severity="error" issues={validation.errors} lines={lines} />
      <Issues severity="warning" issues={validation.warnings} lines={lines} />
    </>
  );
}

interface IssuesProps {
  readonly severity: 'error' | 'warning';
  readonly issues: readonly ValidationIssue[];
  readonly lines: number;
}

function Issues({ severity, issues, lines }: IssuesProps) {
  const rows = issues.map((issue) => {
    const text = formatIssue(issue, lines);
    return { key: text, text };
  });
  return <IssueAlert severity={severity} issues={rows} />;
}

function formatIssue(issue: ValidationIssue, lines: number): string {
  const { path, message } = issue;
  if (path.startsWith('mapping')) return describeMappingIssue(path, message);
  const place = formatPlace(issue, lines);
  return place === '' ? message : `${place}: ${message}`;
}
