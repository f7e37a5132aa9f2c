/** The statement that takes step 15 back: of a webhook without a column for it there is one format. */
const withoutWebhookFormats = 'ALTER TABLE webhooks DROP COLUMN format';

/** Statements that take steps 13 and 14 of a store's schema back: of past layers, ramps and OpenID providers nothing is recorded. */
const withoutPastStates = [
  'DROP TABLE spent_sign_ins',
  'DROP TABLE user_identities',
  'ALTER TABLE sessions DROP COLUMN ends_at',
  'DROP TABLE ramp_items',
  'DROP TABLE layer_publications',
];

/** Statements that take steps 13 to 15 of a store's schema back: what is left is as a version of step 12 left it. */
export const backToStep12: readonly string[] = [
  withoutWebhookFormats,
  ...withoutPastStates,
  'DELETE FROM schema_version WHERE version > 12',
];

/** Statements that take steps 5 to 15 of a store's schema back: what is left is as a version of step 4 left it. */
export const backToStep4: readonly string[] = [
  withoutWebhookFormats,
  ...withoutPastStates,
  'DROP TABLE seen_values',
  'DROP TABLE traffic_policies',
  'DROP TABLE audit_places',
  'DROP TABLE audit_changes',
  'DROP TABLE change_index',
  'DROP TABLE key_purposes',
  'DROP TABLE environment_layers',
  'DROP TABLE metrics',
  'DROP TABLE assigned_counts',
  'DROP TABLE experiment_log',
  'DROP TABLE experiment_phases',
  'DROP TABLE experiments',
  'DROP TABLE release_findings',
  'DROP TABLE confirm_policies',
  'DROP TABLE content_guards',
  'DROP TABLE release_users',
  'DROP TABLE release_timeline',
  'DROP TABLE release_approvals',
  'DROP TABLE release_reach',
  'DROP TABLE release_changes',
  'DROP TABLE releases',
  'DROP TABLE token_origins',
  'DROP TABLE user_origins',
  'DROP TABLE review_policies',
  'DROP TABLE segment_publications',
  'ALTER TABLE revisions DROP COLUMN flags',
  'ALTER TABLE store_state DROP COLUMN stream_key',
  'DROP TABLE seen_attributes',
  'DROP TABLE audited_contents',
  'DROP INDEX audit_by_name',
  'DROP TABLE publications',
  'DROP TABLE segment_revisions',
  'ALTER TABLE segments DROP COLUMN revision',
  'ALTER TABLE revision_lines DROP COLUMN state_hash',
  'ALTER TABLE store_state DROP COLUMN writers_min',
  'ALTER TABLE store_state DROP COLUMN hash_rule',
  'ALTER TABLE nodes DROP COLUMN schema',
  'DELETE FROM schema_version WHERE version > 4',
];
