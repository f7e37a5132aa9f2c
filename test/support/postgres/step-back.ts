/** Statements that take steps 5 to 7 of a store's schema back: what is left is as a version of step 4 left it. */
export const backToStep4: readonly string[] = [
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
