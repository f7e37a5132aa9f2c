/** What is wrong or about to be: rejected requests by reason, failing webhooks, experiments that cannot be read, hotfixes. */

import type { RejectionReason, Rejections } from '../../contract/operations/health/rejections.js';
import type { FailingWebhook, Overview } from '../../contract/operations/overview.js';
import { healthLabels } from '../experiments/words/experiment-states.js';
import { formatPercent } from '../health/number-format.js';
import { IconAlertTriangle, IconFlask, IconGitCompare, IconWebhook } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { useRejections } from './overview-queries.js';
import { AndMore, Line, Lines, Nothing, Section } from './section.js';
import { useEnvironmentNames } from './use-environment-names.js';
import { hotfixesOf, syncPath } from './words/overview-sides.js';

export interface WrongProps {
  readonly env: string;
  readonly overview: Overview;
}

const reasonsShownMax = 4;
const experimentsShownMax = 4;

export function Wrong({ env, overview }: WrongProps) {
  const rejections = useRejections(env);
  const { webhooks } = overview;
  const unfair = overview.experiments.list
    .filter(({ lead }) => lead?.health === 'broken' || lead?.health === 'warning')
    .slice(0, experimentsShownMax);
  const hotfixes = hotfixesOf(overview);
  const reasons = rejections.data?.reasons ?? [];
  const isQuiet =
    (webhooks?.total ?? 0) + unfair.length + hotfixes.length + reasons.length === 0 &&
    rejections.error === null;
  return (
    <Section title="Needs attention">
      {isQuiet && <Nothing>Nothing is wrong that this server knows of.</Nothing>}
      {rejections.error !== null && (
        <Nothing>Rejected requests could not be read. Health has more.</Nothing>
      )}
      <Lines>
        {reasons.slice(0, reasonsShownMax).map((reason) => (
          <RejectedLine key={keyOf(reason)} reason={reason} of={rejections.data} />
        ))}
        {webhooks?.list.map((webhook) => (
          <WebhookLine key={webhook.id} webhook={webhook} />
        ))}
        {unfair.map(({ id, name, lead }) => (
          <Line
            key={id}
            icon={<IconFlask size={16} aria-hidden />}
            href={pathOf.experiment(env, id)}
            name={name}
            text={`${healthLabels[lead?.health ?? 'no_data'].toLowerCase()}: ${lead?.text}`}
          />
        ))}
        <HotfixLines env={env} overview={overview} />
      </Lines>
      <AndMore count={reasons.length - reasonsShownMax} href="/health" />
    </Section>
  );
}

function keyOf({ code, key, content, keyDigest }: RejectionReason): string {
  return JSON.stringify([code, key?.id, content, keyDigest]);
}

interface RejectedLineProps {
  readonly reason: RejectionReason;
  readonly of: Rejections | undefined;
}

function RejectedLine({ reason, of }: RejectedLineProps) {
  const { status, code, content, key, count, lastAt } = reason;
  const share =
    of === undefined || of.requests === 0 ? '' : `, ${formatPercent(count / of.requests)}`;
  const what = content === null ? '' : ` for “${content}”`;
  const by = key === null ? '' : ` with key “${key.label || key.prefix}”`;
  return (
    <Line
      icon={<IconAlertTriangle size={16} aria-hidden />}
      href="/health"
      name={`${status} ${code}`}
      text={`${counted(count, 'request')}${what}${by}${share}`}
      detail={`last ${timeAgo(lastAt, Date.now())}`}
    />
  );
}

function WebhookLine({ webhook }: { readonly webhook: FailingWebhook }) {
  const { id, origin, description, enabled, failures, failingSince } = webhook;
  const since = failingSince === null ? '' : `, since ${timeAgo(failingSince, Date.now())}`;
  return (
    <Line
      icon={<IconWebhook size={16} aria-hidden />}
      href={`/webhooks/${encodeURIComponent(id)}`}
      name={description || origin}
      text={`${enabled ? 'fails' : 'was switched off after failures'}: ${counted(failures, 'attempt')} in a row${since}`}
    />
  );
}

function HotfixLines({ env, overview }: WrongProps) {
  const nameOf = useEnvironmentNames();
  return hotfixesOf(overview).map(({ id, author, savedAt, drift }) => {
    const ago = timeAgo(savedAt, Date.now());
    const isHere = drift.to === env;
    const where = isHere ? 'here' : `in ${nameOf(drift.to)}`;
    return (
      <Line
        key={`${drift.from} ${drift.to} ${id}`}
        icon={<IconGitCompare size={16} aria-hidden />}
        href={syncPath(drift)}
        name={id}
        text={`was changed ${where} only, by ${author}, ${ago}: a sync from ${nameOf(drift.from)} would cover it`}
      />
    );
  });
}
