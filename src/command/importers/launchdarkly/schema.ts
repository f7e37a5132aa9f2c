/**
 * Members of LaunchDarkly's flags and segments, and what becomes of each. Two published forms: what SDKs load and write to files
 * (https://launchdarkly.com/docs/sdk/features/flags-from-files; types in packages/shared/sdk-server/src/evaluation/data of
 * github.com/launchdarkly/js-core, commit 1ff89ec, August 2026), and the REST API's FeatureFlag, FeatureFlagConfig and UserSegment
 * (docs/ of github.com/launchdarkly/api-client-go, commit a434796, API version 20240415).
 */

import type { MemberUse } from '../source.js';

type Members = Readonly<Record<string, MemberUse>>;

function members(converted: string, noEffect = ''): Members {
  const of = (names: string, use: MemberUse): [string, MemberUse][] =>
    names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, use]);
  return Object.fromEntries([...of(converted, 'converted'), ...of(noEffect, 'no-effect')]);
}

/** `flagValues` are flags without rules, in files only. */
export const fileMembers: Members = members('flags segments flagValues', '$schema path');

/** Of one environment: SDK form, and FeatureFlagConfig. */
const flagConfig = 'on prerequisites targets contextTargets rules fallthrough offVariation salt';
const flagConfigElse =
  'sel version lastModified archived trackEvents trackEventsFallthrough debugEventsUntilDate _debugEventsUntilDate _site _access _environmentName _summary evaluation clientSide clientSideAvailability excludeFromSummaries samplingRatio deleted';

export const flagMembers: Members = members(
  `key variations migration ${flagConfig}`,
  flagConfigElse,
);
export const configMembers: Members = members(flagConfig, `${flagConfigElse} migrationSettings`);
export const restFlagMembers: Members = members(
  'key name description variations environments archived',
  'kind migrationSettings _version creationDate includeInSnippet clientSideAvailability temporary tags _links maintainerId _maintainer maintainerTeamKey _maintainerTeam goalIds experiments customProperties archivedDate deprecated deprecatedDate defaults _purpose _access',
);

export const variationMembers: Members = members('value', '_id name description');
export const ruleMembers: Members = members(
  'clauses variation rollout disabled description',
  '_id id ref trackEvents',
);
export const clauseMembers: Members = members('attribute op values contextKind negate', '_id');
export const rolloutMembers: Members = members(
  'variations bucketBy contextKind seed kind experimentAllocation',
);
export const weightedMembers: Members = members('variation weight', '_untracked untracked');
export const prerequisiteMembers: Members = members('key variation');
export const targetMembers: Members = members('values variation contextKind');
export const servedMembers: Members = members('variation rollout');

export const segmentMembers: Members = members(
  'key name description included excluded includedContexts excludedContexts rules unbounded',
  'salt version deleted generation unboundedContextKind tags creationDate lastModifiedDate _links _access _flags _unboundedMetadata _external _externalLink _importInProgress',
);
export const segmentRuleMembers: Members = members(
  'clauses weight bucketBy rolloutContextKind',
  '_id id description',
);
export const segmentTargetMembers: Members = members('values contextKind');
