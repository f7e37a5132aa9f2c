/** Asks for the name of a new segment, then opens its editor. Nothing is saved until it has a condition. */
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { pathOf } from '../parts/environments.js';
import { FormDialog } from '../parts/form/form-dialog.js';

const nameCharsMax = 128;
const control = /\p{Cc}/u;

export interface NewSegmentProps {
  readonly env: string;
  readonly onClose: () => void;
  readonly taken: readonly string[];
}

export function NewSegment({ env, onClose, taken }: NewSegmentProps) {
  const [, goTo] = useLocation();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => nameError(name.trim(), taken) },
    validateInputOnChange: true,
  });
  const submit = form.onSubmit(({ name }) => {
    onClose();
    goTo(`${pathOf.segment(env, name.trim())}?new`);
  });
  return (
    <FormDialog
      form={{ submit, isPending: false, error: null }}
      onClose={onClose}
      title="New segment"
      confirm="Choose its players"
    >
      <TextInput
        label="Name"
        description="Rules refer to the segment by this name, and players who match are reported under it. It cannot be changed later."
        placeholder="new-players"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}

/** Null: the name is valid. */
function nameError(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Enter a name.';
  if (name.length > nameCharsMax) return `A name has at most ${nameCharsMax} characters.`;
  if (name === '.' || name === '..' || control.test(name)) return 'This cannot be a name.';
  return taken.includes(name) ? 'A segment of this name exists already.' : null;
}
