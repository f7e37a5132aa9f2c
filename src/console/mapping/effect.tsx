/** What a mutation makes of a line's text, as the server says: a diff of before and after. */
import { Alert, Button, Group, Input, Loader, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { JsonText } from '../../contract/client.js';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import { ApiProblem, requestText, wordsOf } from '../api/call.js';
import { isJson, objectSource, sourceAt } from '../api/raw-json.js';
import { useDraft } from '../draft/draft-context.js';
import { faultsOfRule, faultWords } from './mapping-faults.js';
import { prettyJson } from './pretty-json.js';
import type { MutationView } from './rules/rule-view.js';

const DiffView = lazy(async () => ({
  default: (await import('../parts/code/diff-view.js')).DiffView,
}));

// Beyond, one asks for it: each answer is as large as the text.
const textAtOnceMax = 256 * 1024;
const pauseMs = 500;

interface Asked {
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
  const asked = useMemo(
    (): Asked | null =>
      line === undefined ? null : { ...line, env, id, mutation: { kind, source } },
    [env, id, line, kind, source],
  );
  if (line === undefined || asked === null) return null;
  const isLarge = line.text.length > textAtOnceMax;
  return (
    <Stack gap="xs">
      <Group gap="sm" align="center">
        <Input.Label component="div">Effect</Input.Label>
        {state.lines.length > 1 && (
          <Select
            size="xs"
            w={170}
            aria-label="Line to show the effect on"
            data={state.lines.map(({ appVersion }) => ({
              value: appVersion,
              label: `Line ${appVersion}`,
            }))}
            value={line.appVersion}
            onChange={setChosen}
            allowDeselect={false}
          />
        )}
        <Text size="xs" c="dimmed">
          Of this change alone, on the text as typed.
        </Text>
      </Group>
      {isLarge && !isWanted ? (
        <Button variant="default" size="xs" onClick={() => setIsWanted(true)} w="fit-content">
          Show the effect on this large text
        </Button>
      ) : (
        <Shown asked={asked} />
      )}
    </Stack>
  );
}

let lastNumber = 0;
const numbers = new WeakMap<Asked, number>();

/** A key for a question that may hold a megabyte of text. */
function numberOf(asked: Asked): number {
  const known = numbers.get(asked) ?? ++lastNumber;
  numbers.set(asked, known);
  return known;
}

function Shown({ asked }: { readonly asked: Asked }) {
  const [settled] = useDebouncedValue(asked, pauseMs);
  const { data, error, isPending } = useQuery({
    queryKey: ['environments', settled.env, 'effect', numberOf(settled)],
    queryFn: ({ signal }) => askEffect(settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error !== null) {
    return (
      <Note>
        {error instanceof ApiProblem ? problemWords(error, settled.mutation.kind) : wordsOf(error)}
      </Note>
    );
  }
  if (isPending) return <Loader size="sm" aria-label="Working out the effect" />;
  if (data.missed !== null) return <Note>{data.missed}</Note>;
  if (data.before === data.after) {
    return (
      <Text size="sm" c="dimmed" role="status">
        It changes nothing on the line {data.appVersion}.
      </Text>
    );
  }
  return (
    <Suspense fallback={<Loader size="sm" aria-label="Loading the diff" />}>
      <DiffView
        before={data.before}
        after={data.after}
        beforeLabel={`Line ${data.appVersion} as it is`}
        afterLabel="With this change"
        maxRows={16}
      />
    </Suspense>
  );
}

function Note({ children }: { readonly children: string }) {
  return (
    <Alert color="yellow" variant="light" role="status" py="xs">
      {children}
    </Alert>
  );
}

interface EffectAnswer {
  readonly appVersion: string;
  readonly before: string;
  readonly after: string;
  /** Why it cannot be applied; null when it can. */
  readonly missed: string | null;
}

/** One rule for everybody that does only this. */
async function askEffect(asked: Asked, signal: AbortSignal): Promise<EffectAnswer> {
  const { env, id, appVersion, text, mutation } = asked;
  const before = prettyJson(text);
  if (!isJson(mutation.source)) {
    return { appVersion, before, after: before, missed: 'The effect is shown once this is JSON.' };
  }
  const mapping = `[{"segment":"effect","when":{},"${mutation.kind}":${mutation.source}}]`;
  const body = objectSource({ id, u: '', v: appVersion, appVersion, text }, { mapping });
  const answer = await requestText(
    'POST /environments/:env/evaluate',
    { params: { env }, body: new JsonText(body) },
    signal,
  );
  const rules = JSON.parse(sourceAt(answer, ['rules']) ?? '[]') as Evaluation['rules'];
  const data = sourceAt(answer, ['answer', 'data']) ?? 'null';
  const missed = rules[0]?.applied === false ? rules[0].reason : null;
  return { appVersion, before, after: prettyJson(data), missed };
}

function problemWords(problem: ApiProblem, kind: string): string {
  if (problem.code === 'invalid_content') {
    return 'The text of this line has an error: the effect is shown once it is mended.';
  }
  const faults = faultsOfRule(problem.errors, 0).map((fault) =>
    faultWords({ ...fault, path: fault.path === kind ? '' : fault.path }),
  );
  return faults.length > 0 ? faults.join(' ') : problem.message;
}
