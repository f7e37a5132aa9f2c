/**
 * Members of a Remote Config template, and what becomes of each. The schema is that of `RemoteConfig` in the REST reference
 * (https://firebase.google.com/docs/reference/remote-config/rest/v1/RemoteConfig) and of firebase-admin's types
 * (src/remote-config/remote-config-api.ts of github.com/firebase/firebase-admin-node, commit 5a203f6, August 2026).
 */

import type { MemberUse } from '../source.js';

type Members = Readonly<Record<string, MemberUse>>;

export const templateMembers: Members = {
  conditions: 'converted',
  parameters: 'converted',
  parameterGroups: 'converted',
  version: 'no-effect',
  etag: 'no-effect',
};

export const conditionMembers: Members = {
  name: 'converted',
  expression: 'converted',
  /** Of server templates, instead of `expression`. */
  condition: 'converted',
  description: 'converted',
  tagColor: 'no-effect',
};

export const parameterMembers: Members = {
  defaultValue: 'converted',
  conditionalValues: 'converted',
  description: 'converted',
  valueType: 'converted',
};

export const groupMembers: Members = { description: 'converted', parameters: 'converted' };

/** A value has one of these. */
export const valueMembers: Members = {
  value: 'converted',
  useInAppDefault: 'converted',
  rolloutValue: 'converted',
  personalizationValue: 'converted',
  experimentValue: 'converted',
};

export const rolloutMembers: Members = {
  rolloutId: 'converted',
  value: 'converted',
  percent: 'converted',
};
