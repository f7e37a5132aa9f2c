/** Puts a change into a release: into one that is open, or into a new one. */
import { Select, Text, TextInput } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { releaseTitleCharsMax } from '../../../contract/limits.js';
import type { ChangeInput, Release, ReleaseSummary } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { Loaded } from '../../parts/data/loaded.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { planOf } from '../new-release.js';
import { releaseKeys, useOpenReleases } from '../release-queries.js';
import { WithdrawWarning } from '../withdraw-warning.js';
import { stateLabels } from '../words/release-states.js';
import { formatSteps, stepPresets } from '../words/steps.js';
import { notifyAdded } from './added-note.js';
import { chosenAtFirst, newRelease } from './chosen-release.js';
import { lastRelease, rememberRelease } from './last-release.js';

/** A release that takes changes. */
export type ReleaseTarget =
  | { readonly release: number }
  | ({ readonly title: string } & ReturnType<typeof planOf>);

interface OfChanges {
  /** Saves what is typed, if it has to be; null: that failed, and the page says why. */
  readonly changes: () => Promise<readonly ChangeInput[] | null>;
}

interface InOneRequest {
  /** Makes the changes and puts them into the release: its number. */
  readonly add: (target: ReleaseTarget) => Promise<number>;
}

export type AddToReleaseProps = (OfChanges | InOneRequest) & {
  readonly env: string;
  /** Such as `shop r4`. */
  readonly what: string;
  /** Why nothing can be added now; null: it can. */
  readonly disabledReason?: string | null;
  readonly onAdded?: () => void;
  readonly onClose: () => void;
  /** Fields above the choice, such as a note. */
  readonly children?: ReactNode;
};

export function AddToRelease(props: AddToReleaseProps) {
  const open = useOpenReleases(props.env);
  if (open.data !== undefined) return <Choose {...props} open={open.data} />;
  const form = {
    submit: (event: FormEvent) => event.preventDefault(),
    isPending: false,
    error: null,
  };
  return (
    <FormDialog
      form={form}
      title="Add to release"
      onClose={props.onClose}
      confirm="Add to release"
      isDisabled
    >
      <Loaded query={open} label="Loading the releases" rowHeight={60}>
        {() => null}
      </Loaded>
    </FormDialog>
  );
}

type ChooseProps = AddToReleaseProps & { readonly open: readonly ReleaseSummary[] };

function Choose(props: ChooseProps) {
  const { env, what, disabledReason = null, onClose, children } = props;
  // The list behind it is read again; the choice stays.
  const [open] = useState(props.open);
  const [chosen, setChosen] = useState(() => chosenAtFirst(open, lastRelease(env)));
  const [title, setTitle] = useState('');
  const [preset, setPreset] = useState(stepPresets[0]?.label ?? '');
  const adding = useAdd(props);
  const isNew = chosen === newRelease;
  const target = open.find(({ release }) => String(release) === chosen);
  const isReady = disabledReason === null && (!isNew || title.trim() !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !adding.isPending) {
      adding.mutate(
        isNew ? { title: title.trim(), ...planOf(preset) } : { release: Number(chosen) },
      );
    }
  };
  return (
    <FormDialog
      form={{ submit, isPending: adding.isPending, error: adding.error }}
      title={`Add ${what} to a release`}
      size="lg"
      onClose={onClose}
      confirm={isNew ? 'Create release' : 'Add to release'}
      isDisabled={!isReady}
      focus={isNew || children !== undefined ? undefined : 'confirm'}
    >
      <Text size="sm">Nothing is delivered before the release starts.</Text>
      {children}
      <Select
        label="Release"
        data={[
          ...open.map(({ release, title: name, state }) => ({
            value: String(release),
            label: `#${release} ${name} (${stateLabels[state].toLowerCase()})`,
          })),
          { value: newRelease, label: 'New release' },
        ]}
        searchable={open.length > 8}
        allowDeselect={false}
        value={chosen}
        onChange={(value) => setChosen(value ?? newRelease)}
      />
      {target !== undefined && <WithdrawWarning state={target.state} />}
      {isNew && (
        <>
          <TextInput
            data-autofocus
            label="Title"
            placeholder="Winter event"
            required
            maxLength={releaseTitleCharsMax}
            autoComplete="off"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Select
            label="Ramp"
            description={formatSteps(planOf(preset).steps)}
            data={stepPresets.map(({ label }) => label)}
            allowDeselect={false}
            value={preset}
            onChange={(value) => setPreset(value ?? preset)}
          />
        </>
      )}
      {disabledReason !== null && !adding.isPending && (
        <Text size="sm" role="status">
          {disabledReason}
        </Text>
      )}
    </FormDialog>
  );
}

function useAdd(props: ChooseProps) {
  const { env, what, onAdded, onClose } = props;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (target: ReleaseTarget) => {
      if (!('add' in props)) return addChanges(queries, env, props.changes, target);
      const release = await props.add(target);
      const known = props.open.find((one) => one.release === release);
      return { release, title: 'title' in target ? target.title : (known?.title ?? '') };
    },
    onSuccess: (release) => {
      if (release !== null) {
        rememberRelease(env, release.release);
        notifyAdded(env, what, release);
        onAdded?.();
      }
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
}

/** Saving and adding are two requests: where only the second fails, the draft is there to be added again. */
async function addChanges(
  queries: QueryClient,
  env: string,
  changes: OfChanges['changes'],
  target: ReleaseTarget,
): Promise<Release | null> {
  const put = await changes();
  if (put === null) return null;
  const release =
    'title' in target
      ? await request('POST /environments/:env/releases', {
          params: { env },
          body: { ...target, changes: put },
        })
      : await request('POST /environments/:env/releases/:release/changes', {
          params: { env, release: String(target.release) },
          body: { put },
        });
  queries.setQueryData(releaseKeys.one(env, release.release), release);
  return release;
}
