/** Findings one below the other: how grave each is, where it is, and the values before and after. */
import { Badge, Text } from '@mantine/core';
import type { Finding } from '../../contract/schemas/guard.js';
import { keyOfFinding, severityColours, severityLabels, sortFindings } from './finding-words.js';
import styles from './findings.module.css';

export interface FindingsListProps {
  readonly findings: readonly Finding[];
  /** There are more than are listed. */
  readonly isCut: boolean;
  /** Whether each names its content item. */
  readonly hasContents: boolean;
  readonly label: string;
}

export function FindingsList({ findings, isCut, hasContents, label }: FindingsListProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard as well. */}
      <ul className={styles['list']} aria-label={label} tabIndex={0}>
        {sortFindings(findings).map((finding) => (
          <li key={keyOfFinding(finding)}>
            <Badge size="sm" variant="dot" color={severityColours[finding.severity]} mr={6}>
              {severityLabels[finding.severity]}
            </Badge>
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {hasContents && <strong>{finding.content}: </strong>}
              {finding.message}
            </Text>
          </li>
        ))}
      </ul>
      {isCut && (
        <Text size="sm" mt={4}>
          There are more. These are the first {findings.length}.
        </Text>
      )}
    </>
  );
}
