/** The brake of a release as it is planned. */
import type { Release } from '../../../contract/schemas/release.js';
import { brakeSentences } from '../../releases/words/brake.js';
import { BrakeEditor } from './brake-editor.js';
import { PlanCard } from './plan-card.js';

export interface BrakeCardProps {
  readonly env: string;
  readonly release: Release;
}

export function BrakeCard({ env, release }: BrakeCardProps) {
  return (
    <PlanCard
      title="Brake"
      release={release}
      sentences={brakeSentences(release.brake)}
      editor={(close) => <BrakeEditor env={env} release={release} onClose={close} />}
    />
  );
}
