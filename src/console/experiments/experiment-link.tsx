/** Beside a rule with variants: the experiment that measures it, or the way to make one. */
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { pathOf } from '../parts/environments.js';
import { useExperiments } from './experiment-queries.js';
import { useExperimentReadOnlyReason } from './experiment-rights.js';
import { ruleKey } from './rule-key.js';
import { stateLabels } from './words/experiment-states.js';

export interface ExperimentLinkProps {
  readonly env: string;
  /** Of the rule. */
  readonly content: string;
  readonly segment: string;
}

export function ExperimentLink({ env, content, segment }: ExperimentLinkProps) {
  const { data: experiments } = useExperiments(env, null);
  const readOnlyReason = useExperimentReadOnlyReason(env);
  if (experiments === undefined) return null;
  const key = ruleKey({ content, segment });
  const found = experiments.find((one) => one.state !== 'decided' && ruleKey(one) === key);
  if (found !== undefined) {
    return (
      <Anchor component={Link} href={pathOf.experiment(env, found.id)} size="xs">
        Experiment: {stateLabels[found.state].toLowerCase()}
      </Anchor>
    );
  }
  if (readOnlyReason !== null) return null;
  return (
    <Anchor component={Link} href={pathOf.newExperiment(env, { content, segment })} size="xs">
      Measure it
    </Anchor>
  );
}
