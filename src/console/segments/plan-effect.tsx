/** The effect of saving a condition: the content that it reaches, and the sample users that enter or leave. */
import { List, Text } from '@mantine/core';
import type { SegmentPlan } from '../../contract/operations/segments.js';
import type { AskedConfirmation } from '../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../findings/confirmation-notice.js';
import type { SampleUser } from '../preview/contexts/sample-users.js';
import { WarningList } from './segment-warnings.js';

const reachesShown = 12;

export interface PlanEffectProps {
  readonly plan: SegmentPlan;
  /** The contexts of the plan, in order. */
  readonly users: readonly Pick<SampleUser, 'name'>[];
}

export function PlanEffect({ plan, users }: PlanEffectProps) {
  return (
    <>
      <Reaches ids={plan.reaches} />
      <Movement effect={plan.effect} users={users} />
      <ConfirmationNotice asked={askedOf(plan)} hasContents />
      <WarningList warnings={plan.warnings} />
    </>
  );
}

/** Of a segment only running experiments ask, and what they ask can be confirmed here. */
function askedOf({ confirmation }: SegmentPlan): AskedConfirmation {
  return { confirmation, isRejected: false, isNew: false, needsApproval: false };
}

export function Reaches({ ids }: { readonly ids: readonly string[] }) {
  const left = ids.length - reachesShown;
  return (
    <div>
      <Text size="sm" fw={600}>
        Reaches {ids.length} live content {ids.length === 1 ? 'item' : 'items'}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ids.slice(0, reachesShown).join(', ')}
        {left > 0 && ` and ${left} more`}
      </Text>
    </div>
  );
}

interface MovementProps extends Pick<PlanEffectProps, 'users'> {
  readonly effect: SegmentPlan['effect'];
}

function Movement({ effect, users }: MovementProps) {
  if (effect === null) {
    return (
      <Text size="sm" c="dimmed">
        There are no sample users to try it on. Save some in the preview of a content item.
      </Text>
    );
  }
  const { contexts, matchedBefore, matchAfter, entering, leaving } = effect;
  const names = (places: readonly number[], count: number): string => {
    const named = places
      .map((place) => `“${users[place]?.name ?? `user ${place + 1}`}”`)
      .join(', ');
    return count > places.length ? `${named} and ${count - places.length} more` : named;
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        Of {contexts} sample {contexts === 1 ? 'user' : 'users'}, {matchedBefore} matched and{' '}
        {matchAfter} would
      </Text>
      <List size="sm" withPadding>
        {entering > 0 && <List.Item>Enter: {names(effect.enteringExamples, entering)}</List.Item>}
        {leaving > 0 && <List.Item>Leave: {names(effect.leavingExamples, leaving)}</List.Item>}
        {entering + leaving === 0 && <List.Item>None of them enters or leaves.</List.Item>}
      </List>
    </div>
  );
}
