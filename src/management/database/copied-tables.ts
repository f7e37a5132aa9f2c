/** What a store consists of when it moves to another database: its tables, in an order in which no row refers to a later one. */
import type { Tables } from '../store/tables/tables.js';

/** How the rows of a table are read in pieces. */
export interface CopiedTable {
  readonly name: keyof Tables;
  /** The columns by which its rows are found and sorted. */
  readonly key: readonly string[];
  /** The columns in which there may be much. */
  readonly wide: readonly string[];
}

/** Every table has an entry: one that is added is copied, or is said here not to be part of the store. */
type Entries = {
  readonly [Name in keyof Tables]: {
    readonly key: readonly (keyof Tables[Name] & string)[];
    readonly wide?: readonly (keyof Tables[Name] & string)[];
  } | null;
};

const entries: Entries = {
  environments: { key: ['id'] },
  users: { key: ['id'], wide: ['environments'] },
  texts: { key: ['digest'], wide: ['bytes'] },
  webhooks: { key: ['id'], wide: ['environments', 'events'] },
  apiKeys: { key: ['id'] },
  segments: { key: ['environment', 'name'], wide: ['condition', 'description'] },
  segmentRevisions: { key: ['environment', 'name', 'number'], wide: ['condition', 'note'] },
  segmentPublications: { key: ['environment', 'name', 'at'] },
  sampleUsers: { key: ['environment', 'name'], wide: ['context'] },
  seenAttributes: { key: ['environment', 'name'] },
  seenValues: { key: ['environment', 'name'], wide: ['counts'] },
  trafficPolicies: { key: ['environment'] },
  contents: { key: ['environment', 'idLower'], wide: ['description', 'tags', 'schema'] },
  contentGuards: { key: ['environment', 'idLower'], wide: ['guards'] },
  revisions: { key: ['environment', 'idLower', 'number'], wide: ['note'] },
  revisionLines: { key: ['environment', 'idLower', 'number', 'version'] },
  revisionSegments: { key: ['environment', 'segment', 'idLower', 'number'] },
  publications: { key: ['environment', 'idLower', 'at'] },
  tokens: { key: ['id'] },
  reviewPolicies: { key: ['environment'] },
  confirmPolicies: { key: ['environment'] },
  userOrigins: { key: ['userId'] },
  tokenOrigins: { key: ['tokenId'] },
  releases: { key: ['environment', 'release'], wide: ['description', 'brake', 'reason'] },
  releaseChanges: { key: ['environment', 'release', 'kind', 'name'] },
  releaseReach: { key: ['environment', 'kind', 'name'] },
  rampItems: { key: ['environment', 'release', 'startedAt', 'kind', 'name'] },
  releaseApprovals: { key: ['environment', 'release', 'userId'], wide: ['comment'] },
  releaseTimeline: { key: ['id'], wide: ['text'] },
  releaseUsers: { key: ['environment', 'release', 'run', 'step', 'userHash'] },
  releaseFindings: { key: ['environment', 'release'], wide: ['findings'] },
  experiments: { key: ['environment', 'id'], wide: ['hypothesis', 'guardMetrics', 'decision'] },
  experimentPhases: { key: ['environment', 'experiment', 'number'], wide: ['rule'] },
  experimentLog: { key: ['environment', 'experiment', 'position'], wide: ['text'] },
  assignedCounts: {
    key: ['environment', 'experiment', 'phase', 'day', 'node', 'process', 'number'],
    wide: ['users'],
  },
  metrics: { key: ['environment', 'name'], wide: ['definition'] },
  environmentLayers: { key: ['environment'], wide: ['layers'] },
  layerPublications: { key: ['environment', 'at'], wide: ['definition'] },
  keyPurposes: { key: ['keyId'] },
  userIdentities: { key: ['userId'] },
  // Hashed with the identity of the store, which stays: users stay signed in.
  sessions: { key: ['id'] },
  spentSignIns: { key: ['hash'] },
  webhookDeliveries: { key: ['id'], wide: ['payload', 'lastError'] },
  changeLog: { key: ['sequence', 'position'] },
  sequences: { key: ['sequence'] },
  audit: { key: ['id'], wide: ['details'] },
  auditedContents: { key: ['auditId', 'idLower'] },
  auditChanges: { key: ['auditId', 'item'] },
  auditPlaces: {
    key: ['auditId', 'item', 'position'],
    wide: ['path', 'valueBefore', 'valueAfter'],
  },
  // One row each, which a new store has too: they are set last (copy-store.ts).
  storeState: null,
  changeIndex: null,
  // Of servers that run on the one store, and of writes that they are about to make.
  nodes: null,
  stagedTexts: null,
};

/** Parents first. */
export const copiedTables: readonly CopiedTable[] = Object.entries(entries).flatMap(
  ([name, entry]) =>
    entry === null ? [] : [{ name: name as keyof Tables, key: entry.key, wide: entry.wide ?? [] }],
);

/** Of all tables, those of servers included. */
export const tableNames = Object.keys(entries) as readonly (keyof Tables)[];
