/** What saving a condition would do: the contents it reaches, and whom of the sample users it moves. */
import { List, Text } from '@mantine/core';
import type { SegmentPlan } from '../../contract/operations/segments.js';
import type { SampleUser } from '../preview/contexts/sample-users.js';

const reachesShown = 12;

export function Reaches({ ids }: { readonly ids: readonly string[] }) {
  const left = ids.length - reachesShown;
  return (
    <div>
      <Text size="sm" fw={600}>
        Reaches {ids.length} live {ids.length === 1 ? 'content' : 'contents'}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ids.slice(0, reachesShown).join(', ')}
        {left > 0 && ` and ${left} more`}
      </Text>
    </div>
  );
}

export interface PlanEffectProps {
  readonly plan: SegmentPlan;
  /** The contexts of the plan, in order. */
  readonly users: readonly Pick<SampleUser, 'name'>[];
}

export function PlanEffect({ plan: { effect }, users }: PlanEffectProps) {
  if (effect === null) {
    return (
      <Text size="sm" c="dimmed">
        There are no sample users to try it on. Save some in the preview of a content.
      </Text>
    );
  }
  const { contexts, matchedBefore, matchAfter, entering, leaving } = effect;
  const named = (places: readonly number[], count: number): string => {
    const names = places.map((place) => users[place]?.name ?? `user ${place + 1}`).join(', ');
    return count > places.length ? `${names} and ${count - places.length} more` : names;
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        Of {contexts} sample {contexts === 1 ? 'user' : 'users'}, {matchedBefore} matched and{' '}
        {matchAfter} would
      </Text>
      <List size="sm" withPadding>
        {entering > 0 && (
          <List.Item>Coming in: {named(effect.enteringExamples, entering)}</List.Item>
        )}
        {leaving > 0 && <List.Item>Left out: {named(effect.leavingExamples, leaving)}</List.Item>}
        {entering + leaving === 0 && <List.Item>Nobody of them comes in or is left out.</List.Item>}
      </List>
    </div>
  );
}
