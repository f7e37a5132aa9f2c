/** All tables of the store as Kysely sees them. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */

import type {
  AuditChangesTable,
  AuditedContentsTable,
  AuditPlacesTable,
  AuditTable,
  ChangeIndexTable,
} from './audit.js';
import type {
  ContentGuardsTable,
  ContentsTable,
  PublicationsTable,
  RevisionLinesTable,
  RevisionSegmentsTable,
  RevisionsTable,
  SegmentPublicationsTable,
  SegmentRevisionsTable,
  SegmentsTable,
  TextsTable,
} from './contents.js';
import type {
  ApiKeysTable,
  ConfirmPoliciesTable,
  EnvironmentLayersTable,
  EnvironmentsTable,
  KeyPurposesTable,
  LayerPublicationsTable,
  ReviewPoliciesTable,
  SampleUsersTable,
  SeenAttributesTable,
  SeenValuesTable,
  TrafficPoliciesTable,
} from './environments.js';
import type {
  AssignedCountsTable,
  ExperimentLogTable,
  ExperimentPhasesTable,
  ExperimentsTable,
  MetricsTable,
} from './experiments.js';
import type {
  RampItemsTable,
  ReleaseApprovalsTable,
  ReleaseChangesTable,
  ReleaseFindingsTable,
  ReleaseReachTable,
  ReleasesTable,
  ReleaseTimelineTable,
  ReleaseUsersTable,
} from './releases.js';
import type {
  ChangeLogTable,
  NodesTable,
  SequencesTable,
  StagedTextsTable,
  StoreStateTable,
} from './server.js';
import type {
  SessionsTable,
  SpentSignInsTable,
  TokenOriginsTable,
  TokensTable,
  UserIdentitiesTable,
  UserOriginsTable,
  UsersTable,
} from './users.js';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.js';

export interface Tables {
  experiments: ExperimentsTable;
  experimentPhases: ExperimentPhasesTable;
  experimentLog: ExperimentLogTable;
  assignedCounts: AssignedCountsTable;
  metrics: MetricsTable;
  environmentLayers: EnvironmentLayersTable;
  layerPublications: LayerPublicationsTable;
  keyPurposes: KeyPurposesTable;
  segmentPublications: SegmentPublicationsTable;
  reviewPolicies: ReviewPoliciesTable;
  confirmPolicies: ConfirmPoliciesTable;
  contentGuards: ContentGuardsTable;
  userOrigins: UserOriginsTable;
  tokenOrigins: TokenOriginsTable;
  releases: ReleasesTable;
  releaseChanges: ReleaseChangesTable;
  releaseReach: ReleaseReachTable;
  rampItems: RampItemsTable;
  releaseApprovals: ReleaseApprovalsTable;
  releaseTimeline: ReleaseTimelineTable;
  releaseUsers: ReleaseUsersTable;
  releaseFindings: ReleaseFindingsTable;
  storeState: StoreStateTable;
  environments: EnvironmentsTable;
  apiKeys: ApiKeysTable;
  segments: SegmentsTable;
  segmentRevisions: SegmentRevisionsTable;
  texts: TextsTable;
  contents: ContentsTable;
  revisions: RevisionsTable;
  revisionLines: RevisionLinesTable;
  revisionSegments: RevisionSegmentsTable;
  publications: PublicationsTable;
  changeLog: ChangeLogTable;
  sequences: SequencesTable;
  stagedTexts: StagedTextsTable;
  nodes: NodesTable;
  users: UsersTable;
  tokens: TokensTable;
  audit: AuditTable;
  auditedContents: AuditedContentsTable;
  changeIndex: ChangeIndexTable;
  auditChanges: AuditChangesTable;
  auditPlaces: AuditPlacesTable;
  webhooks: WebhooksTable;
  webhookDeliveries: WebhookDeliveriesTable;
  sessions: SessionsTable;
  userIdentities: UserIdentitiesTable;
  spentSignIns: SpentSignInsTable;
  sampleUsers: SampleUsersTable;
  seenAttributes: SeenAttributesTable;
  seenValues: SeenValuesTable;
  trafficPolicies: TrafficPoliciesTable;
}
