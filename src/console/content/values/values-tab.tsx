/** Every value that any player could be given, by path: what changed first, where numbers come from, and what was found. */
import { Alert, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Envelope } from '../../../contract/operations/envelope.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { useDraft } from '../../draft/draft-context.js';
import { FindingsList } from '../../findings/findings-list.js';
import { IconAlertTriangle, IconSearch } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { Waiting } from '../../parts/waiting.js';
import { useRevisionState } from '../compare/use-revision-state.js';
import { usePublishCheck } from '../save/publish-check.js';
import { useRevisionEnvelope, useTypedEnvelope } from './envelope-query.js';
import { valueRows } from './value-rows.js';
import { ValuesTable } from './values-table.js';

export interface ValuesTabProps {
  /** Adds a guard to the settings, and shows it there. */
  readonly onGuard: (guard: GuardInput) => void;
}

export function ValuesTab({ onGuard }: ValuesTabProps) {
  const { saved, state } = useDraft();
  const typed = useTypedEnvelope(saved, state);
  const live = useRevisionEnvelope(saved.env, saved.id, saved.live);
  const error = typed.error ?? live.error;
  const isLoading = typed.data === undefined || (saved.live !== null && live.data === undefined);
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          Values
        </Title>
        <Text size="sm" c="dimmed">
          Every value that any player could get, at any time: each rule may apply or not.
        </Text>
      </div>
      {error !== null && (
        <ProblemAlert
          title="The values are unknown until this is fixed"
          error={error}
          onRetry={() => void (typed.error === null ? live : typed).refetch()}
        />
      )}
      {isLoading && error === null && <Waiting label="Computing the values" height={240} />}
      {typed.data !== undefined && !isLoading && (
        <Values
          envelope={typed.data}
          live={live.data ?? null}
          isBehind={typed.isBehind}
          onGuard={onGuard}
        />
      )}
    </Stack>
  );
}

interface ValuesProps extends ValuesTabProps {
  readonly envelope: Envelope;
  readonly live: Envelope | null;
  /** Something newer is typed. */
  readonly isBehind: boolean;
}

function Values({ envelope, live, isBehind, onGuard }: ValuesProps) {
  const { saved, mayEdit } = useDraft();
  const [query, setQuery] = useState('');
  const words = useDeferredValue(query.trim().toLowerCase());
  const findings = useFindings(envelope);
  const rows = useMemo(() => valueRows(envelope, live, findings), [envelope, live, findings]);
  const shown = useMemo(
    () => rows.filter(({ path }) => path.toLowerCase().includes(words)),
    [rows, words],
  );
  const changed = rows.filter(({ change }) => change !== 'same').length;
  const summary =
    live === null
      ? 'Nothing is live yet.'
      : `${counted(changed, 'path')} ${changed === 1 ? 'differs' : 'differ'} from live.`;
  return (
    <>
      {findings.length > 0 && (
        <TitledAlert
          color="orange"
          icon={<IconAlertTriangle aria-hidden />}
          title={`${counted(findings.length, 'finding')} against live and guards`}
          p="xs"
        >
          <FindingsList
            findings={findings}
            isCut={false}
            hasContents={false}
            label="What was found"
          />
        </TitledAlert>
      )}
      <Limits lines={envelope.lines} />
      <Group gap="sm">
        <TextInput
          aria-label="Filter by path"
          placeholder="Filter by path"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          spellCheck={false}
          autoCapitalize="off"
          w={{ base: '100%', xs: 320 }}
        />
        <Text size="sm" c="dimmed" role="status">
          {words === ''
            ? counted(rows.length, 'path')
            : `${shown.length} of ${counted(rows.length, 'path')}`}
          . {isBehind ? 'Computing again…' : summary}
        </Text>
      </Group>
      <ValuesTable
        label={`Values of ${saved.id}`}
        rows={shown}
        hasVersions={envelope.lines.length > 1}
        onGuard={mayEdit ? onGuard : null}
      />
    </>
  );
}

/** With guards where the server checked a save; viewers see what needs no guard. */
function useFindings(envelope: Envelope) {
  const { saved, state, validation } = useDraft();
  const live = useRevisionState(saved.live);
  const check = usePublishCheck(saved, state, live.state, validation);
  const checked = check.validation?.confirmation?.warnings;
  return useMemo(
    () => checked ?? envelope.findings.map((finding) => ({ ...finding, content: saved.id })),
    [checked, envelope, saved.id],
  );
}

/** What the list lacks. */
function Limits({ lines }: Pick<Envelope, 'lines'>) {
  const cut = lines.filter(({ truncated }) => truncated).map(({ appVersion }) => appVersion);
  const open = lines.filter(({ unbounded }) => unbounded).map(({ appVersion }) => appVersion);
  return (
    <>
      {cut.length > 0 && (
        <Alert color="yellow" variant="light" p="xs" role="status">
          Not all paths are listed: version {cut.join(', ')} has more. Guards check all of them.
        </Alert>
      )}
      {open.length > 0 && (
        <Alert color="orange" variant="light" p="xs" role="status">
          The rules have too many operations to follow in version {open.join(', ')}: any value could
          be delivered there.
        </Alert>
      )}
    </>
  );
}
