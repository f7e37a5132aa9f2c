/** One content item: its texts, targeting, preview, history and settings, which all change the same draft. */
import { useMemo, useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { newContent, useContent } from '../draft/content-query.js';
import { DraftProvider } from '../draft/draft-provider.js';
import { useRecoveredDraft } from '../draft/recover-draft.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { Waiting } from '../parts/waiting.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { useSession } from '../session/session.js';
import { ContentEditor } from './content-editor.js';
import { MissingContent } from './missing-content.js';
import { useNewestWatch } from './use-newest-watch.js';

export function ContentScreen() {
  const { env = '', id = '', tab = '' } = useParams<{ env: string; id: string; tab?: string }>();
  return <OneContent key={`${env}/${id.toLowerCase()}`} env={env} id={id} tab={tab} />;
}

interface OneContentProps {
  readonly env: string;
  readonly id: string;
  readonly tab: string;
}

function OneContent({ env, id, tab }: OneContentProps) {
  const [, go] = useLocation();
  const wantsNew = new URLSearchParams(useSearch()).has('new');
  const { name: user } = useSession();
  const environments = useEnvironments();
  const readOnlyReason = useReadOnlyReason();
  const content = useContent(env, id);
  useNewestWatch(env, id, content);
  const [blank] = useState(() => newContent(env, id));
  const isMissing =
    content.error instanceof ApiProblem && content.error.code === 'content_not_found';
  const latest = content.data ?? (isMissing && wantsNew ? blank : null);
  const place = useMemo(() => ({ user, env, id }), [user, env, id]);
  const opened = useRecoveredDraft(place, latest);
  // Edits of a new item stay on the screen while its existence is checked again.
  const shown = latest ?? (wantsNew ? blank : null);

  if (opened !== null && shown !== null) {
    return (
      <DraftProvider
        place={place}
        opened={opened}
        latest={shown}
        isGone={isMissing && content.data !== undefined}
        readOnlyReason={readOnlyReason}
        onSaved={() => {
          if (wantsNew) go(pathOf.content(env, id, tab), { replace: true });
        }}
      >
        <ContentEditor tab={tab} environments={environments.data ?? []} />
      </DraftProvider>
    );
  }
  if (isMissing) return <MissingContent env={env} id={id} readOnlyReason={readOnlyReason} />;
  if (content.error !== null) {
    return (
      <Page title={id}>
        <ProblemAlert
          title="This content item could not be opened"
          error={content.error}
          onRetry={() => void content.refetch()}
        />
      </Page>
    );
  }
  return (
    <Page title={id}>
      <Waiting label="Loading the content item" height={320} />
    </Page>
  );
}
