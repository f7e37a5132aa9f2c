/**
 * Members of Unleash's features, and what becomes of each. Two published forms, of which the OpenAPI schemas are in src/lib/openapi/spec of
 * github.com/Unleash/unleash (commit ceeb5a9, August 2026, version 8.1): what SDKs load (`clientFeaturesSchema`), and the export of
 * the admin UI (`exportResultSchema`).
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

export const clientMembers: Members = members('version features segments', 'query meta');
export const exportMembers: Members = members(
  'features featureStrategies featureEnvironments segments dependencies',
  'contextFields featureTags tagTypes links',
);
export const featureMembers: Members = members(
  'name description enabled strategies variants dependencies archived',
  'type stale impressionData project favorite createdAt createdBy archivedAt lastSeenAt environments tags children lifecycle collaborators links',
);
export const strategyMembers: Members = members(
  'name title disabled parameters constraints segments variants',
  'id featureName sortOrder featureId environment projectId milestoneId',
);
export const constraintMembers: Members = members(
  'contextName operator values value inverted caseInsensitive',
);
export const segmentMembers: Members = members(
  'id name description constraints',
  'createdBy createdAt project',
);
export const variantMembers: Members = members(
  'name weight payload overrides stickiness',
  'weightType',
);
export const environmentMembers: Members = members(
  'environment featureName enabled variants',
  'name type sortOrder variantCount strategies changeRequestIds milestoneName milestoneOrder totalMilestones lastSeenAt hasStrategies hasEnabledStrategies releasePlans safeguards yes no',
);
export const dependencyMembers: Members = members('feature enabled variants');
/** Of the export: all that one feature depends on. */
export const dependenciesMembers: Members = members('feature dependencies');
