/** Makes an experiment of a rule with variants, in three steps: the question, what decides it, and for how long. */
import { Anchor, Button, Group, Paper, Stack, Stepper, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useParams } from 'wouter';
import { experimentIdCharsMax } from '../../../contract/limits.js';
import type { AbTest } from '../../../contract/operations/tests.js';
import { request } from '../../api/call.js';
import { useExperiments, useMetrics } from '../../experiments/experiment-queries.js';
import { MetricDialog } from '../../experiments/metrics/metric-dialog.js';
import { IconFlask } from '../../icons/icons.js';
import { Loaded } from '../../parts/data/loaded.js';
import { EmptyState } from '../../parts/empty-state.js';
import { pathOf } from '../../parts/environments.js';
import { Page } from '../../parts/page.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { LengthFields } from './length-fields.js';
import { MetricFields } from './metric-fields.js';
import { NameFields } from './name-fields.js';
import { SampleSize } from './sample-size.js';
import { shareOf, testsWithout } from './test-choice.js';
import { TestField } from './test-field.js';
import { lastStep, useSetup } from './use-setup.js';

export function NewExperimentScreen() {
  const { env = '' } = useParams<{ env: string }>();
  return <NewExperiment key={env} env={env} />;
}

function NewExperiment({ env }: { readonly env: string }) {
  const experiments = useExperiments(env, null);
  const tests = useQuery({
    queryKey: ['environments', env, 'tests', { drafts: true }],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/tests',
        { params: { env }, query: { drafts: 'true' } },
        signal,
      ),
  });
  const free = testsWithout(tests.data?.tests ?? [], experiments.data ?? []);
  return (
    <Page title="New experiment" description="Nothing changes for players until you start it.">
      <Loaded query={experiments} label="Loading the experiments" rowHeight={240}>
        {() => (
          <Loaded query={tests} label="Loading the A/B tests" rowHeight={240}>
            {() => (free.length === 0 ? <NoTest env={env} /> : <Setup env={env} tests={free} />)}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function NoTest({ env }: { readonly env: string }) {
  return (
    <EmptyState
      icon={<IconFlask aria-hidden />}
      title="First make an A/B test"
      action={
        <Button component={Link} href={pathOf.contents(env)}>
          Go to Content
        </Button>
      }
    >
      An experiment measures a targeting rule with variants. Open a content item, go to Targeting,
      choose A/B test, and publish it. Each rule has one experiment at a time.
    </EmptyState>
  );
}

interface SetupProps {
  readonly env: string;
  readonly tests: readonly AbTest[];
}

function Setup({ env, tests }: SetupProps) {
  const { form, test, step, missing, isNamed, choose, move } = useSetup(env, tests);
  const [isDefining, setIsDefining] = useState(false);
  const metrics = useMetrics(env).data?.metrics ?? [];
  const { values } = form;
  const isLast = step === lastStep;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isLast) form.submit(event);
    else if (isNamed) move(step + 1);
  };
  return (
    <Paper withBorder p="md" maw={820}>
      <form onSubmit={submit}>
        <Stepper active={step} onStepClick={move} allowNextStepsSelect={isNamed} size="sm">
          <Stepper.Step label="Question" description="What is compared">
            <Stack gap="md">
              {missing !== null && <NotSaved env={env} {...missing} />}
              <TestField
                tests={tests}
                value={values.rule}
                error={form.errors['rule']}
                onChange={choose}
              />
              {test !== undefined && (
                <>
                  <NameFields form={form} variants={test.variants.map(({ name }) => name)} />
                  <TextInput
                    label="Id"
                    description="For commands and links. It cannot be changed later."
                    required
                    maxLength={experimentIdCharsMax}
                    autoComplete="off"
                    spellCheck={false}
                    {...form.getInputProps('id')}
                  />
                </>
              )}
            </Stack>
          </Stepper.Step>
          <Stepper.Step label="Metrics" description="What decides">
            <Stack gap="md">
              <MetricFields form={form} metrics={metrics} onDefine={() => setIsDefining(true)} />
            </Stack>
          </Stepper.Step>
          <Stepper.Step label="Length" description="How many players">
            <Stack gap="md">
              <LengthFields form={form} />
              {test !== undefined && (
                <SampleSize
                  env={env}
                  metric={metrics.find(({ name }) => name === values.primaryMetric) ?? null}
                  effect={values.smallestEffect}
                  variants={test.variants.length}
                  share={shareOf(test)}
                  onDays={(days) => form.setFieldValue('plannedDays', days)}
                />
              )}
            </Stack>
          </Stepper.Step>
        </Stepper>
        {form.error !== null && <ProblemAlert error={form.error} />}
        <Group justify="flex-end" mt="lg">
          {step > 0 && (
            <Button variant="default" onClick={() => move(step - 1)}>
              Back
            </Button>
          )}
          <Button type="submit" disabled={!isNamed} loading={form.isPending}>
            {isLast ? 'Create experiment' : 'Continue'}
          </Button>
        </Group>
      </form>
      {isDefining && (
        <MetricDialog
          env={env}
          metric={null}
          known={metrics}
          onClose={() => setIsDefining(false)}
        />
      )}
    </Paper>
  );
}

interface NotSavedProps extends Pick<AbTest, 'content' | 'segment'> {
  readonly env: string;
}

/** People come from the editor, where a rule may be typed but not saved. */
function NotSaved({ env, content, segment }: NotSavedProps) {
  return (
    <TitledAlert color="yellow" title="The rule cannot be measured yet" p="xs">
      {segment} of {content} is not saved with two variants or more, or has an experiment already.{' '}
      <Anchor
        component={Link}
        href={pathOf.content(env, content, 'mapping')}
        size="sm"
        underline="always"
      >
        Go to the rule
      </Anchor>
    </TitledAlert>
  );
}
