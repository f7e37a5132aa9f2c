/** Errors and warnings of the whole draft, each leading to its place. */
import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import type { ValidationIssue } from '../../../contract/problems.js';
import { useDraft } from '../../draft/draft-context.js';
import { formatPlace } from '../../draft/issue-place.js';
import { IconAlertCircle, IconAlertTriangle } from '../../icons/icons.js';
import styles from '../content.module.css';

const shownMax = 100;

export function IssueList({ onJump }: { readonly onJump: (issue: ValidationIssue) => void }) {
  const { validation, state, validationError } = useDraft();
  const issues = [
    ...(validation?.errors ?? []).map((issue) => ({ issue, isError: true })),
    ...(validation?.warnings ?? []).map((issue) => ({ issue, isError: false })),
  ].slice(0, shownMax);
  if (issues.length === 0) {
    return validationError === null ? null : (
      <Text size="sm" c="dimmed">
        It could not be checked: {validationError.message}
      </Text>
    );
  }
  return (
    <Box
      component="ul"
      m={0}
      p={0}
      className={styles['issues'] ?? ''}
      aria-label="Errors and warnings"
    >
      {issues.map(({ issue, isError }) => {
        const place = formatPlace(issue, state.lines.length);
        const Icon = isError ? IconAlertCircle : IconAlertTriangle;
        return (
          <li
            key={`${isError} ${issue.appVersion} ${place} ${issue.message}`}
            style={{ listStyle: 'none' }}
          >
            <UnstyledButton className={styles['issue'] ?? ''} onClick={() => onJump(issue)}>
              <Group gap={8} wrap="nowrap" align="flex-start">
                <Icon
                  size={16}
                  aria-label={isError ? 'Error' : 'Warning'}
                  color={`var(--mantine-color-${isError ? 'red' : 'yellow'}-text)`}
                  style={{ flex: 'none', marginTop: 2 }}
                />
                <Text size="sm" className="mono" style={{ flex: 'none' }} c="dimmed">
                  {place}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {issue.message}
                </Text>
              </Group>
            </UnstyledButton>
          </li>
        );
      })}
    </Box>
  );
}
