/** The actions that the filter of the activity offers. */

export interface ActionGroup {
  readonly group: string;
  readonly items: readonly { readonly value: string; readonly label: string }[];
}

const group = (
  name: string,
  noun: string,
  actions: Readonly<Record<string, string>>,
): ActionGroup => ({
  group: name,
  items: [
    { value: noun, label: `${name}: everything` },
    ...Object.entries(actions).map(([verb, label]) => ({ value: `${noun}.${verb}`, label })),
  ],
});

/** What users that are no owners see. */
const groupsForAll: ReadonlySet<string> = new Set([
  ...['Content', 'Segments', 'Releases', 'Environments', 'Keys', 'Sample users', 'Experiments'],
]);

export function actionGroupsOf(isOwner: boolean): readonly ActionGroup[] {
  return actionGroups.filter(({ group: name }) => isOwner || groupsForAll.has(name));
}

export const actionGroups: readonly ActionGroup[] = [
  group('Content', 'content', {
    put: 'Content saved',
    publish: 'Draft published',
    rollback: 'Content rolled back',
    'remove-line': 'App version line removed',
    delete: 'Content deleted',
    restore: 'Content restored',
  }),
  group('Segments', 'segment', {
    put: 'Segment saved',
    rollback: 'Segment rolled back',
    delete: 'Segment deleted',
  }),
  group('Releases', 'release', {
    create: 'Release made',
    update: 'Release changed',
    submit: 'Submitted for review',
    approve: 'Approved',
    reject: 'Rejected',
    comment: 'Commented',
    schedule: 'Scheduled',
    start: 'Ramp started',
    step: 'Ramp went on',
    pause: 'Paused',
    resume: 'Resumed',
    stop: 'Stopped',
    live: 'Went live',
    revert: 'Reverted',
    fail: 'Failed to start',
    cancel: 'Cancelled',
    emergency: 'Went live without approval',
  }),
  group('Experiments', 'experiment', {
    create: 'Experiment made',
    update: 'Experiment changed',
    start: 'Started',
    phase: 'Began another phase',
    stop: 'Stopped',
    decide: 'Decided',
    delete: 'Experiment deleted',
  }),
  group('Environments', 'environment', {
    create: 'Environment created',
    update: 'Environment changed',
    delete: 'Environment deleted',
    sync: 'Synced',
    import: 'Imported',
  }),
  group('Keys', 'key', { create: 'Key created', update: 'Key changed', revoke: 'Key revoked' }),
  group('Sample users', 'sample-user', {
    put: 'Sample user saved',
    delete: 'Sample user deleted',
  }),
  group('Users', 'user', {
    create: 'User created',
    update: 'User changed',
    delete: 'User deleted',
  }),
  group('Tokens', 'token', {
    create: 'Token created',
    revoke: 'Token revoked',
    refuse: 'Wrong tokens rejected',
  }),
  group('Sessions', 'session', {
    create: 'Signed in',
    delete: 'Signed out',
    refuse: 'Sign-in rejected',
  }),
  group('Webhooks', 'webhook', {
    create: 'Webhook created',
    update: 'Webhook changed',
    secret: 'Secret replaced',
    disable: 'Switched off by the server',
    delete: 'Webhook deleted',
    test: 'Webhook tested',
    retry: 'Messages sent again',
  }),
  group('Housekeeping', 'retention', { run: 'Old history removed' }),
  group('Backups', 'store', { backup: 'Backup made' }),
];
