/** Who is looked up, and at which moments. */
import { Checkbox, Group, Paper, Stack, Title } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { IconUserSearch } from '../icons/icons.js';
import { SubmitButton } from '../parts/form/submit-button.js';
import { InstantInput } from '../parts/time/instant-input.js';
import { type AskedPlayer, inOrder } from '../preview/contexts/asked-player.js';
import { offsetOf, withOffset } from '../preview/contexts/clock-of-user.js';
import { ContextForm } from '../preview/contexts/context-form.js';
import { OffsetSelect } from '../preview/contexts/offset-select.js';
import { SampleUserPicker } from '../preview/contexts/sample-user-picker.js';
import { useKnownAttributes } from '../preview/contexts/sample-users.js';
import {
  contextIssues,
  emptyContext,
  isInvalid,
  type UserContext,
} from '../preview/contexts/user-context.js';
import { useSession } from '../session/session.js';

export interface PlayerFormProps {
  readonly environment: string;
  /** What it begins with; null: empty. */
  readonly asked: AskedPlayer | null;
  readonly onAsk: (player: AskedPlayer) => void;
}

export function PlayerForm({ environment, asked, onAsk }: PlayerFormProps) {
  const [user, setUser] = useState<UserContext>(asked?.user ?? emptyContext);
  // The editor of JSON reports late: a press may come before the form is rendered with what it reported.
  const newest = useRef(user);
  const change = (next: UserContext): void => {
    newest.current = next;
    setUser(next);
  };
  const [at, setAt] = useState<string | null>(asked?.at ?? null);
  const [isCompared, setIsCompared] = useState(asked?.other !== undefined);
  const [other, setOther] = useState<string | null>(asked?.other ?? null);
  const knowsSamples = useSession().role !== 'support';
  const issue = momentIssue(at);
  const otherIssue = at === other ? 'Choose a moment other than the first.' : momentIssue(other);
  const isWrong =
    isInvalid(contextIssues(user)) || issue !== null || (isCompared && otherIssue !== null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWrong || isInvalid(contextIssues(newest.current))) return;
    onAsk(inOrder({ user: newest.current, at, ...(isCompared && { other }) }));
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="player-form">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h5" id="player-form">
            Player
          </Title>
          {knowsSamples && <SampleUserPicker env={environment} user={user} onPick={change} />}
          <Context env={environment} user={user} onChange={change} knowsSamples={knowsSamples} />
          <OffsetSelect
            value={offsetOf(user)}
            onChange={(minutes) => change(withOffset(user, minutes))}
          />
          <InstantInput label="Moment" whenEmpty="now" value={at} onChange={setAt} error={issue} />
          <Checkbox
            label="Compare with another moment"
            checked={isCompared}
            onChange={(event) => setIsCompared(event.currentTarget.checked)}
          />
          {isCompared && (
            <InstantInput
              label="Other moment"
              whenEmpty="now"
              value={other}
              onChange={setOther}
              error={otherIssue}
            />
          )}
          <Group>
            <SubmitButton icon={IconUserSearch} disabled={isWrong}>
              Look up
            </SubmitButton>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

interface ContextProps {
  readonly env: string;
  readonly user: UserContext;
  readonly onChange: (user: UserContext) => void;
  readonly knowsSamples: boolean;
}

function Context({ knowsSamples, ...props }: ContextProps) {
  if (!knowsSamples) return <ContextForm value={props.user} onChange={props.onChange} />;
  return <SuggestedContext {...props} />;
}

function SuggestedContext({ env, user, onChange }: Omit<ContextProps, 'knowsSamples'>) {
  return <ContextForm value={user} onChange={onChange} attributes={useKnownAttributes(env)} />;
}

function momentIssue(at: string | null): string | null {
  if (at === null || Date.parse(at) <= Date.now()) return null;
  return 'This moment is in the future. The Preview tab of a content item shows what players will be given then.';
}
