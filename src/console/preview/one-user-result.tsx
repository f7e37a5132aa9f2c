/** What one user is answered: the data with marks, the facts about it, and what each rule said. */
import { Alert, Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { ApiProblem } from '../api/call.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime } from '../parts/when.js';
import { asOfWords } from './as-of.js';
import {
  type Evaluated,
  type EvaluateWish,
  isNotKept,
  isNotLive,
  unmutatedText,
  useEvaluation,
} from './evaluate.js';
import { DeliveredAnswer } from './results/delivered-answer.js';
import { type Comparison, compareJson, parseJson, printLines } from './results/json-marks.js';
import { JsonView, type Meaning } from './results/json-view.js';
import { PlaceChanges } from './results/place-changes.js';
import { ResultFacts } from './results/result-facts.js';
import { RuleVerdicts } from './results/rule-verdicts.js';
import { useUnmutatedLive } from './use-unmutated-live.js';

export interface OneUserResultProps {
  readonly wish: EvaluateWish;
  /** It may differ from what is live, so the two are compared. */
  readonly isOther: boolean;
  /** The time that is asked for is over. */
  readonly ofPast: boolean;
  /** The user context cannot be sent as it is. */
  readonly isUserFaulty: boolean;
}

/** Drawn anew when something else is asked, not at each key in the form beside it. */
export const OneUserResult = memo(function OneUserResult(props: OneUserResultProps) {
  const { wish, isOther, ofPast, isUserFaulty } = props;
  const evaluation = useEvaluation(wish, !isUserFaulty);
  const live = useEvaluation({ ...wish, side: 'live' }, !isUserFaulty && isOther);
  const { data, error } = evaluation;
  if (isUserFaulty) {
    return <Text size="sm">The preview goes on once the user context is mended.</Text>;
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
    return <Refused error={error} onRetry={() => void evaluation.refetch()} wish={wish} />;
  }
  if (error !== null) {
    return (
      <Alert
        variant="light"
        icon={<IconInfoCircle aria-hidden />}
        title={ofPast ? 'Nothing was live then' : 'Nothing is live'}
      >
        {ofPast
          ? 'Players got a 404 for this content at that time.'
          : 'Players get a 404 for this content until it is published.'}
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
        wish={wish}
        result={data}
        live={isOther ? (live.data ?? null) : null}
        ofPast={ofPast}
        isEarlier={evaluation.isPlaceholderData}
      />
    </Box>
  );
});

interface RefusedProps {
  readonly wish: EvaluateWish;
  readonly error: Error;
  readonly onRetry: () => void;
}

function Refused({ wish, error, onRetry }: RefusedProps) {
  const isTyped = wish.side === 'typed' && error instanceof ApiProblem && error.status === 400;
  return (
    <ProblemAlert
      error={error}
      title={
        isTyped
          ? 'What is typed has errors: mend it in Text or Mapping, or look at Draft or Live'
          : 'No preview'
      }
      {...(isTyped ? {} : { onRetry })}
    />
  );
}

interface ShownProps {
  readonly wish: EvaluateWish;
  readonly result: Evaluated;
  /** Null: it is what is shown, there is none, or it is not known yet. */
  readonly live: Evaluated | null;
  readonly ofPast: boolean;
  /** It is the answer to the question before, until this one's comes. */
  readonly isEarlier: boolean;
}

/** Larger answers are shown as they are delivered, and not compared. */
const comparedCharsMax = 4 * 1024 * 1024;

function Shown({ wish, result, live, ofPast, isEarlier }: ShownProps) {
  const isMutated = result.rules.some(({ applied }) => applied);
  const ofLive = useUnmutatedLive(wish, result.revision, wish.side === 'live' && isMutated);
  const unmutated = unmutatedText(wish, result) ?? ofLive;
  const { data } = result;
  const liveData = live === null ? null : (live.data ?? '');
  const view = useMemo(
    () => (data === null ? null : viewOf(data, isMutated ? unmutated : null, liveData)),
    [data, isMutated, unmutated, liveData],
  );
  return (
    <Stack gap="md">
      {ofPast && !isEarlier && (
        <Text size="sm" fw={600} role="status">
          {asOfWords(result, wish.side, exactTime(result.at))}
        </Text>
      )}
      <ResultFacts result={result} />
      {data === null && (
        <Alert variant="light" color="orange" title="Not found (404)">
          {result.lineReason}
        </Alert>
      )}
      {view === null && data !== null && (
        <Text size="sm">It is too large to be laid out here: copy it below.</Text>
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
        {view?.byRules != null && (
          <Changes
            title="Changed by rules"
            comparison={view.byRules}
            none="Rules applied and changed nothing: this is a control group, or their changes are what the text says already."
          />
        )}
        {live !== null && (
          <AgainstLive
            comparison={view?.fromLive ?? null}
            result={result}
            live={live}
            ofPast={ofPast}
          />
        )}
      </Box>
      <Paper withBorder p="md" component="section" aria-labelledby="preview-rules">
        <Title order={2} size="h5" id="preview-rules" mb="xs">
          Rules
        </Title>
        <RuleVerdicts rules={result.rules} />
      </Paper>
      {result.answer !== null && <DeliveredAnswer answer={result.answer} />}
    </Stack>
  );
}

interface View {
  readonly lines: ReturnType<typeof printLines>;
  readonly legend: readonly Meaning[];
  readonly byRules: Comparison | null;
  readonly fromLive: Comparison | null;
}

/** @param unmutated null: no rule applied @param live null: nothing to compare with; empty: a 404 */
function viewOf(data: string, unmutated: string | null, live: string | null): View | null {
  if (data.length > comparedCharsMax) return null;
  const parsed = parseJson(data);
  if (parsed === null) return null;
  const against = (text: string | null): Comparison | null => {
    const other = text === null || text === '' ? null : parseJson(text);
    return other === null ? null : compareJson(other, parsed);
  };
  const byRules = against(unmutated);
  const fromLive = live === data ? noComparison : against(live);
  const marked = [
    { comparison: byRules, kind: 'rules', words: 'changed by rules' },
    { comparison: fromLive, kind: 'live', words: 'differs from live' },
  ] as const;
  const shown = marked.filter(({ comparison }) => (comparison?.marks.size ?? 0) > 0);
  return {
    lines: printLines(
      parsed,
      shown.flatMap(({ comparison }) => comparison ?? []),
    ),
    legend: shown.map(({ kind, words }) => ({ kind, words })),
    byRules,
    fromLive,
  };
}

const noComparison: Comparison = { marks: new Map(), changes: [] };

interface ChangesProps {
  readonly title: string;
  readonly comparison: Comparison;
  readonly none: string;
}

function Changes({ title, comparison: { changes }, none }: ChangesProps) {
  return (
    <Stack gap={4} mb="sm">
      <Group gap="xs">
        <Title order={3} size="h6">
          {title}
          {changes.length > 0 && ` (${changes.length})`}
        </Title>
      </Group>
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
  if (live.data === null) {
    return result.data === null ? null : (
      <Text size="sm">
        {ofPast
          ? 'What was live then answered 404 to this user.'
          : 'Live answers 404 to this user: they would get the content anew.'}
      </Text>
    );
  }
  if (result.data === null) {
    return (
      <Text size="sm">
        {ofPast
          ? 'What was live then answered this user.'
          : 'Live answers this user: they would lose the content.'}
      </Text>
    );
  }
  return comparison === null ? null : (
    <Changes
      title={ofPast ? 'Against what was live then' : 'Against live'}
      comparison={comparison}
      none={sameDataWords(result.hash === live.hash, ofPast)}
    />
  );
}

function sameDataWords(isSameHash: boolean, ofPast: boolean): string {
  if (ofPast) return 'This user got the same data then.';
  return isSameHash
    ? 'This user gets the same data as now.'
    : 'This user gets the same data as now, under another hash: clients fetch it anew.';
}
