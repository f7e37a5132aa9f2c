/** Why requests were rejected in the last hour: by code, key and content item, each with where to look. Absent if none was. */
import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { RejectionReason, Rejections } from '../../contract/operations/health/rejections.js';
import { pathOf } from '../parts/environments.js';
import { When } from '../parts/time/when.js';
import { type Column, DataTable, NumberCells } from './data-table.js';
import { formatCount, formatPercent } from './number-format.js';
import { rejectionHint } from './rejection-hints.js';

const columns: readonly Column[] = [
  { name: 'Code' },
  { name: 'Environment' },
  { name: 'Key' },
  { name: 'Content item' },
  { name: 'Requests', isNumber: true },
  { name: 'Share of all', isNumber: true },
  { name: 'Last' },
  { name: 'What it means, and where to look' },
];

export function RejectedSection({ rejections }: { readonly rejections: Rejections | undefined }) {
  if (rejections === undefined || rejections.rejected === 0) return null;
  const { reasons, requests, other } = rejections;
  return (
    <Stack gap="xs" component="section" aria-label="Rejected requests" id="rejected">
      <Title order={2} size="h4">
        Rejected requests
      </Title>
      <Text size="sm" c="dimmed">
        {describeCounting(rejections)}
      </Text>
      <DataTable label="Reasons" columns={columns} widthMin={900} wraps>
        {reasons.map((reason, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state, and are known by their place only.
          <ReasonRow key={at} reason={reason} requests={requests} />
        ))}
        {other > 0 && (
          <Table.Tr>
            <Table.Td colSpan={4}>Other reasons, each less frequent</Table.Td>
            <NumberCells values={[formatCount(other), shareOf(other, requests)]} />
            <Table.Td colSpan={2} />
          </Table.Tr>
        )}
      </DataTable>
    </Stack>
  );
}

/** Over which time, and by which server. */
function describeCounting({
  minutes,
  node,
  nodes,
}: Pick<Rejections, 'minutes' | 'node' | 'nodes'>): string {
  const time =
    minutes < 1
      ? 'Since this server started, less than a minute ago'
      : `Of the last ${minutes === 1 ? 'minute' : `${minutes} minutes`}`;
  if (nodes === 1) return `${time}.`;
  return `${time}, on ${node} alone: ${nodes} servers share the store, and each counts its own requests.`;
}

interface ReasonRowProps {
  readonly reason: RejectionReason;
  /** All requests, rejected or not. */
  readonly requests: number;
}

function ReasonRow({ reason, requests }: ReasonRowProps) {
  const { code, status, environment, count, lastAt } = reason;
  const { means, look } = rejectionHint(code);
  return (
    <Table.Tr>
      <Table.Td>
        <span className="mono">{code}</span>
        <Text span size="xs" c="dimmed" display="block">
          {status}
        </Text>
      </Table.Td>
      <Table.Td>{environment ?? '–'}</Table.Td>
      <Table.Td>
        <KeyOf reason={reason} />
      </Table.Td>
      <Table.Td maw={260} style={{ overflowWrap: 'anywhere' }}>
        <ContentOf reason={reason} />
      </Table.Td>
      <NumberCells values={[formatCount(count), shareOf(count, requests)]} />
      <Table.Td>
        <When at={lastAt} size="sm" />
      </Table.Td>
      <Table.Td>
        {means}
        <Text span size="sm" c="dimmed" display="block">
          {look}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function shareOf(count: number, requests: number): string {
  return requests === 0 ? '–' : formatPercent(count / requests);
}

function KeyOf({ reason: { key, keyDigest, environment, code } }: Pick<ReasonRowProps, 'reason'>) {
  if (key !== null && environment !== null) {
    const { label, prefix, state } = key;
    return (
      <>
        <Anchor component={Link} href={pathOf.environment(environment)} size="sm">
          {label === '' ? `${prefix}…` : label}
        </Anchor>
        {state !== 'active' && (
          <Text span size="xs" c="dimmed" display="block">
            {state}
          </Text>
        )}
      </>
    );
  }
  if (keyDigest !== null) {
    return (
      <span title="The first 12 hex digits of the SHA-256 of the key: compare them with those of the key in your game.">
        unknown, SHA-256 <span className="mono">{keyDigest}…</span>
      </span>
    );
  }
  return code === 'invalid_api_key' ? 'missing or unknown' : '–';
}

function ContentOf({
  reason: { content, contentExists, environment },
}: Pick<ReasonRowProps, 'reason'>) {
  if (content === null) return '–';
  if (!contentExists || environment === null) return <span className="mono">{content}</span>;
  return (
    <Anchor component={Link} href={pathOf.content(environment, content)} size="sm">
      {content}
    </Anchor>
  );
}
