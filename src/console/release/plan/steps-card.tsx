/** The ramp of a release as it is planned. */
import type { Release } from '../../../contract/schemas/release.js';
import { hasNoControl } from '../../releases/words/brake.js';
import { formatSteps } from '../../releases/words/steps.js';
import { PlanCard } from './plan-card.js';
import { StepsEditor } from './steps-editor.js';

export interface StepsCardProps {
  readonly env: string;
  readonly release: Release;
}

export function StepsCard({ env, release }: StepsCardProps) {
  const sentences = [formatSteps(release.steps)];
  if (hasNoControl(release)) {
    sentences.push('At 100 % the brake has no players left to compare with.');
  }
  return (
    <PlanCard
      title="Ramp"
      release={release}
      sentences={sentences}
      editor={(close) => <StepsEditor env={env} release={release} onClose={close} />}
    />
  );
}
