/** The state of an experiment's set-up: what is typed, the step that is shown, and the request that makes it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { AbTest } from '../../../contract/operations/tests.js';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { request } from '../../api/call.js';
import { experimentKeys } from '../../experiments/experiment-queries.js';
import { ruleKey } from '../../experiments/rule-key.js';
import { pathOf } from '../../parts/environments.js';
import { useServerForm } from '../../parts/form/use-server-form.js';
import { useSession } from '../../session/session.js';
import { emptyPlan, idOf, type PlanValues, planOf } from './plan-values.js';
import { controlOf } from './test-choice.js';

interface SetupValues extends PlanValues {
  /** Key of the rule; '': not chosen. */
  rule: string;
  id: string;
}

const fieldsOfSteps: readonly (readonly (keyof SetupValues)[])[] = [
  ['rule', 'id', 'name', 'hypothesis', 'owner', 'control'],
  ['primaryMetric', 'guardMetrics'],
  ['smallestEffect', 'plannedDays'],
];

/** Steps count from 0. */
export const lastStep: number = fieldsOfSteps.length - 1;

/** @param tests those that can be chosen; the address may name one */
export function useSetup(env: string, tests: readonly AbTest[]) {
  const [step, setStep] = useState(0);
  const wanted = useWantedRule();
  const asked = tests.find((test) => ruleKey(test) === ruleKey(wanted));
  const form = useSetupForm(env, tests, asked);
  const { values, errors, clearErrors, setValues } = form;
  // Back to what the server rejects; it stays there while the user mends it.
  useEffect(() => {
    const faulty = fieldsOfSteps.findIndex((fields) => fields.some((field) => errors[field]));
    if (faulty >= 0) setStep(faulty);
  }, [errors]);
  const test = tests.find((one) => ruleKey(one) === values.rule);
  return {
    form,
    test,
    step,
    /** The rule that the address names, if it cannot be chosen. */
    missing: asked === undefined && wanted.content !== '' ? wanted : null,
    /** Enough is known to go on. */
    isNamed: test !== undefined && values.name.trim() !== '' && values.id !== '',
    choose: (rule: string): void => {
      const chosen = tests.find((one) => ruleKey(one) === rule);
      if (chosen !== undefined) setValues(startOf(chosen));
    },
    move: (to: number): void => {
      clearErrors();
      setStep(to);
    },
  };
}

/** The rule that the address names; '' without one. */
function useWantedRule(): Pick<AbTest, 'content' | 'segment'> {
  const [search] = useSearchParams();
  return { content: search.get('content') ?? '', segment: search.get('rule') ?? '' };
}

function useSetupForm(env: string, tests: readonly AbTest[], asked: AbTest | undefined) {
  const { name: user } = useSession();
  const [, go] = useLocation();
  const queries = useQueryClient();
  return useServerForm<SetupValues, Experiment>({
    initialValues: {
      ...emptyPlan,
      ...(asked === undefined ? { rule: '', id: '' } : startOf(asked)),
      owner: user,
    },
    fieldOfCode: { experiment_exists: 'id', experiment_rule: 'rule' },
    send: (values) => {
      const rule = tests.find((test) => ruleKey(test) === values.rule);
      return request('POST /environments/:env/experiments', {
        params: { env },
        body: {
          ...{ ...planOf(values), id: values.id },
          ...{ content: rule?.content ?? '', segment: rule?.segment ?? '' },
        },
      });
    },
    onSent: (experiment) => {
      void queries.invalidateQueries({ queryKey: experimentKeys.all(env) });
      queries.setQueryData(experimentKeys.one(env, experiment.id), experiment);
      go(pathOf.experiment(env, experiment.id));
    },
  });
}

/** What a test begins with; people change it. */
function startOf(test: AbTest): Pick<SetupValues, 'rule' | 'id' | 'name' | 'control'> {
  const { content, segment } = test;
  return {
    rule: ruleKey(test),
    id: idOf(`${content}-${segment}`),
    name: segment,
    control: controlOf(test),
  };
}
