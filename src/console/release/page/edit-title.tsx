/** Changes title and description of a release, which withdraws no approvals. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { descriptionCharsMax, releaseTitleCharsMax } from '../../../contract/limits.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { IconPencil } from '../../icons/icons.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { useReleaseAct } from '../../releases/release-queries.js';
import { useReleaseReadOnlyReason } from '../../releases/release-rights.js';
import { isEditable } from '../../releases/words/release-states.js';

export interface EditTitleProps {
  readonly env: string;
  readonly release: Release;
}

export function EditTitle(props: EditTitleProps) {
  const [isOpen, setIsOpen] = useState(false);
  const readOnlyReason = useReleaseReadOnlyReason();
  if (readOnlyReason !== null || !isEditable(props.release.state)) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        Edit title
      </Button>
      {isOpen && <TitleDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function TitleDialog({ env, release, onClose }: EditTitleProps & { readonly onClose: () => void }) {
  // The form shows the release as it was when it opened: what others save meanwhile is not overwritten.
  const [{ version }] = useState(release);
  const [title, setTitle] = useState(release.title);
  const [description, setDescription] = useState(release.description);
  const saving = useReleaseAct(env, onClose);
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (title.trim() === '') return;
    saving.mutate({
      number: release.release,
      send: (params) =>
        request('PATCH /environments/:env/releases/:release', {
          params,
          body: { title: title.trim(), description: description.trim(), ifVersion: version },
        }),
    });
  };
  return (
    <FormDialog
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title="Title and description"
      onClose={onClose}
      confirm="Save"
      isDisabled={title.trim() === ''}
    >
      <TextInput
        data-autofocus
        label="Title"
        required
        maxLength={releaseTitleCharsMax}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label="Description"
        description="Why, for those who review it."
        autosize
        maxRows={10}
        maxLength={descriptionCharsMax}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
