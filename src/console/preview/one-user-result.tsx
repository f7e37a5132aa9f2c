/** What one user gets: the data with marks, the facts about it, and the result of each rule. */
import { Alert, Box, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { memo, useMemo } from 'react';
import { ApiProblem } from '../api/call.js';
import { IconInfoCircle } from '../icons/icons.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime } from '../parts/time/formats.js';
import { describeAsOf } from './as-of.js';
import {
  type Evaluated,
  type EvaluateRequest,
  isNotKept,
  isNotLive,
  unmutatedText,
  useEvaluation,
  useUnmutatedLive,
} from './evaluate.js';
import { comparedView } from './results/compared-view.js';
import { DeliveredResponse } from './results/delivered-response.js';
import type { Comparison } from './results/json-marks.js';
import { JsonView } from './results/json-view.js';
import { PlaceChanges } from './results/place-changes.js';
import { ResultFacts } from './results/result-facts.js';
import { RuleResults } from './results/rule-results.js';

export interface OneUserResultProps {
  readonly request: EvaluateRequest;
  /** It may differ from what is live, so both are compared. */
  readonly isOther: boolean;
  /** The requested time is in the past. */
  readonly ofPast: boolean;
  /** The user context cannot be sent as it is. */
  readonly isUserInvalid: boolean;
}

/** Rendered again for another request only, not at each key in the form beside it. */
export const OneUserResult = memo(function OneUserResult(props: OneUserResultProps) {
  const { request, isOther, ofPast, isUserInvalid } = props;
  const evaluation = useEvaluation(request, !isUserInvalid);
  const live = useEvaluation({ ...request, side: 'live' }, !isUserInvalid && isOther);
  const { data, error } = evaluation;
  if (isUserInvalid) {
    return <Text size="sm">Fix the user context to see the preview.</Text>;
  }
  if (isNotKept(error)) {
    return (
      <Alert
        variant="light"
        role="status"
        icon={<IconInfoCircle aria-hidden />}
        title="That is no longer known"
      >
        {error.message}
      </Alert>
    );
  }
  if (error !== null && !isNotLive(error)) {
    const isTyped = request.side === 'typed' && error instanceof ApiProblem && error.status === 400;
    return isTyped ? (
      <ProblemAlert
        error={error}
        title="What is typed has errors: fix it in Text or Targeting, or preview Draft or Live"
      />
    ) : (
      <ProblemAlert error={error} title="No preview" onRetry={() => void evaluation.refetch()} />
    );
  }
  if (error !== null) {
    return (
      <Alert
        variant="light"
        icon={<IconInfoCircle aria-hidden />}
        title={ofPast ? 'Nothing was live then' : 'Nothing is live'}
      >
        {ofPast
          ? 'Players got a 404 for this content item at that time.'
          : 'Players get a 404 for this content item until it is published.'}
      </Alert>
    );
  }
  if (data === undefined) return <Skeleton height={280} aria-label="Loading" />;
  return (
    <Box
      aria-busy={evaluation.isPlaceholderData}
      style={{ opacity: evaluation.isPlaceholderData ? 0.6 : 1 }}
    >
      <Shown
        request={request}
        result={data}
        live={isOther ? (live.data ?? null) : null}
        ofPast={ofPast}
        isEarlier={evaluation.isPlaceholderData}
      />
    </Box>
  );
});

interface ShownProps {
  readonly request: EvaluateRequest;
  readonly result: Evaluated;
  /** Null: it is the result itself, there is none, or it is still loading. */
  readonly live: Evaluated | null;
  readonly ofPast: boolean;
  /** It is the result of the previous request, until this one's arrives. */
  readonly isEarlier: boolean;
}

function Shown({ request, result, live, ofPast, isEarlier }: ShownProps) {
  const isMutated = result.rules.some(({ applied }) => applied);
  const ofLive = useUnmutatedLive(request, result.revision, request.side === 'live' && isMutated);
  const unmutated = unmutatedText(request, result) ?? ofLive;
  const { data } = result;
  const liveData = live === null ? null : (live.data ?? '');
  const view = useMemo(
    () =>
      data === null
        ? null
        : comparedView(data, [
            { kind: 'rules', label: 'changed by rules', text: isMutated ? unmutated : null },
            { kind: 'live', label: 'differs from live', text: liveData },
          ]),
    [data, isMutated, unmutated, liveData],
  );
  const [byRules = null, fromLive = null] = view?.comparisons ?? [];
  return (
    <Stack gap="md">
      {ofPast && !isEarlier && (
        <Text size="sm" fw={600} role="status">
          {describeAsOf(result, request.side, exactTime(result.at))}
        </Text>
      )}
      <ResultFacts result={result} />
      {data === null && (
        <Alert variant="light" color="orange" title="Not found (404)">
          {result.lineReason}
        </Alert>
      )}
      {view === null && data !== null && (
        <Text size="sm">This response is too large to show formatted. Copy it below.</Text>
      )}
      {view !== null && (
        <Stack gap={6}>
          <Title order={2} size="h5">
            Delivered data
          </Title>
          <JsonView lines={view.lines} label="Delivered data" legend={view.legend} />
        </Stack>
      )}
      <Box aria-live="polite">
        {byRules !== null && (
          <Changes
            title="Changed by rules"
            comparison={byRules}
            none="Rules applied and changed nothing: this is a control group, or the text has the same values already."
          />
        )}
        {live !== null && (
          <AgainstLive comparison={fromLive} result={result} live={live} ofPast={ofPast} />
        )}
      </Box>
      <Paper withBorder p="md" component="section" aria-labelledby="preview-rules">
        <Title order={2} size="h5" id="preview-rules" mb="xs">
          Rules
        </Title>
        <RuleResults rules={result.rules} />
      </Paper>
      {result.wrapped !== null && <DeliveredResponse wrapped={result.wrapped} />}
    </Stack>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly comparison: Comparison;
  readonly none: string;
}

function Changes({ title, comparison: { changes }, none }: ChangesProps) {
  return (
    <Stack gap={4} mb="sm">
      <Title order={3} size="h6">
        {title}
        {changes.length > 0 && ` (${changes.length})`}
      </Title>
      {changes.length === 0 ? <Text size="sm">{none}</Text> : <PlaceChanges changes={changes} />}
    </Stack>
  );
}

interface AgainstLiveProps {
  readonly comparison: Comparison | null;
  readonly result: Evaluated;
  readonly live: Evaluated;
  readonly ofPast: boolean;
}

function AgainstLive({ comparison, result, live, ofPast }: AgainstLiveProps) {
  if (live.data === null || result.data === null) {
    const isOnlyLive = live.data !== null;
    return live.data === result.data ? null : (
      <Text size="sm">
        {ofPast
          ? `This user ${isOnlyLive ? 'got the content item' : 'got a 404'} from what was live then.`
          : isOnlyLive
            ? 'This user gets the content item from live, and would get a 404.'
            : 'This user gets a 404 from live, and would get the content item.'}
      </Text>
    );
  }
  return comparison === null ? null : (
    <Changes
      title={ofPast ? 'Against what was live then' : 'Against live'}
      comparison={comparison}
      none={describeSame(result.hash === live.hash, ofPast)}
    />
  );
}

function describeSame(isSameHash: boolean, ofPast: boolean): string {
  if (ofPast) return 'This user got the same data then.';
  return isSameHash
    ? 'This user gets the same data as now.'
    : 'This user gets the same data as now, under another hash: clients fetch it again.';
}
