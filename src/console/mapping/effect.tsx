/** Previews a change on the text of an app version line: the server applies it, and a diff shows the result. */
import { Alert, Button, Group, Input, Loader, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { JsonText } from '../../contract/client.js';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import { ApiProblem, requestText, wordsOf } from '../api/call.js';
import { isJson, objectSource, sourceAt } from '../api/raw-json.js';
import { useDraft } from '../draft/draft-context.js';
import { LazyDiffView } from '../parts/code/lazy.js';
import { prettyJson } from '../parts/code/pretty-json.js';
import { describeIssue, issuesOfRule } from './mapping-issues.js';
import type { MutationView } from './rules/rule-view.js';

// A larger text is previewed on request: each response is as large as the text.
const textAtOnceMax = 256 * 1024;
const pauseMs = 500;

interface Trial {
  readonly env: string;
  readonly id: string;
  readonly appVersion: string;
  readonly text: string;
  readonly mutation: MutationView;
}

export function Effect({ mutation }: { readonly mutation: MutationView }) {
  const { saved, state } = useDraft();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  const line = state.lines.find(({ appVersion }) => appVersion === chosen) ?? state.lines.at(-1);
  const { env, id } = saved;
  const { kind, source } = mutation;
  const trial = useMemo(
    (): Trial | null =>
      line === undefined ? null : { ...line, env, id, mutation: { kind, source } },
    [env, id, line, kind, source],
  );
  if (line === undefined || trial === null) return null;
  const isLarge = line.text.length > textAtOnceMax;
  return (
    <Stack gap="xs">
      <Group gap="sm" align="center">
        <Input.Label component="div">Preview of this change</Input.Label>
        {state.lines.length > 1 && (
          <Select
            size="xs"
            w={170}
            aria-label="App version line to preview"
            data={state.lines.map(({ appVersion }) => ({
              value: appVersion,
              label: `App version line ${appVersion}`,
            }))}
            value={line.appVersion}
            onChange={setChosen}
            allowDeselect={false}
          />
        )}
      </Group>
      {isLarge && !isWanted ? (
        <Button variant="default" size="xs" onClick={() => setIsWanted(true)} w="fit-content">
          Preview on this large text
        </Button>
      ) : (
        <Shown trial={trial} />
      )}
    </Stack>
  );
}

let lastNumber = 0;
const numbers = new WeakMap<Trial, number>();

/** A query key for a trial, which may contain a megabyte of text. */
function numberOf(trial: Trial): number {
  const known = numbers.get(trial) ?? ++lastNumber;
  numbers.set(trial, known);
  return known;
}

function Shown({ trial }: { readonly trial: Trial }) {
  const [settled] = useDebouncedValue(trial, pauseMs);
  const { data, error, isPending } = useQuery({
    queryKey: ['environments', settled.env, 'effect', numberOf(settled)],
    queryFn: ({ signal }) => requestEffect(settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error !== null) {
    return (
      <Note>
        {error instanceof ApiProblem
          ? describeProblem(error, settled.mutation.kind)
          : wordsOf(error)}
      </Note>
    );
  }
  if (isPending) return <Loader size="sm" aria-label="Loading the preview" />;
  if (data.missed !== null) return <Note>{data.missed}</Note>;
  if (data.before === data.after) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No effect on app version line {data.appVersion}.
      </Text>
    );
  }
  return (
    <LazyDiffView
      before={data.before}
      after={data.after}
      beforeLabel={`App version line ${data.appVersion}`}
      afterLabel="With this change"
      maxRows={16}
    />
  );
}

function Note({ children }: { readonly children: string }) {
  return (
    <Alert color="yellow" variant="light" role="status" py="xs">
      {children}
    </Alert>
  );
}

interface EffectResult {
  readonly appVersion: string;
  readonly before: string;
  readonly after: string;
  /** Why it cannot be applied; null: it can. */
  readonly missed: string | null;
}

/** Evaluates one rule for all players that makes only this change. */
async function requestEffect(trial: Trial, signal: AbortSignal): Promise<EffectResult> {
  const { env, id, appVersion, text, mutation } = trial;
  const before = prettyJson(text);
  if (!isJson(mutation.source)) {
    return { appVersion, before, after: before, missed: 'The preview appears once this is JSON.' };
  }
  const mapping = `[{"segment":"effect","when":{},"${mutation.kind}":${mutation.source}}]`;
  const body = objectSource({ id, u: '', v: appVersion, appVersion, text }, { mapping });
  const response = await requestText(
    'POST /environments/:env/evaluate',
    { params: { env }, body: new JsonText(body) },
    signal,
  );
  const rules = JSON.parse(sourceAt(response, ['rules']) ?? '[]') as Evaluation['rules'];
  const data = sourceAt(response, ['answer', 'data']) ?? 'null';
  const missed = rules[0]?.applied === false ? rules[0].reason : null;
  return { appVersion, before, after: prettyJson(data), missed };
}

function describeProblem(problem: ApiProblem, kind: string): string {
  if (problem.code === 'invalid_content') {
    return 'The text of this app version line has an error. Fix it to see the preview.';
  }
  const issues = issuesOfRule(problem.errors, 0).map((issue) =>
    describeIssue({ ...issue, path: issue.path === kind ? '' : issue.path }),
  );
  return issues.length > 0 ? issues.join(' ') : problem.message;
}
