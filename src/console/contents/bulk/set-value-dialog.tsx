/** Sets a value at a path of the selected items: what and where, then every value before and after. */
import { Checkbox, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax, pathCharsMax } from '../../../contract/limits.js';
import { monoInput } from '../../parts/code/mono-input.js';
import { counted } from '../../parts/counted.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { usePublishReason } from '../../session/edit-rights.js';
import { EditDialog, type EditWords } from './edit-dialog.js';
import type { EditWay } from './edit-many.js';
import { type SetFields, setFieldIssues } from './set-fields.js';

export interface SetValueDialogProps {
  readonly env: string;
  readonly ids: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const nothingTyped: SetFields = { path: '', value: '', appVersion: '', create: false };

export function SetValueDialog({ env, ids, onDone, onClose }: SetValueDialogProps) {
  const publishReason = usePublishReason(env);
  const [fields, setFields] = useState(nothingTyped);
  const [note, setNote] = useState('');
  const [way, setWay] = useState<EditWay>(publishReason === null ? 'publish' : 'release');
  const [isShown, setIsShown] = useState(false);
  const { path, value, appVersion, create } = fields;
  if (isShown) {
    const where = appVersion.trim();
    const edit = {
      ...{ kind: 'set' as const, path: path.trim(), value: value.trim(), create },
      ...(where !== '' && { appVersion: where }),
    };
    return (
      <EditDialog
        edit={{ env, ids, edit, way, note: note.trim() }}
        words={wordsOf(path.trim(), way)}
        onBack={() => setIsShown(false)}
        {...{ onDone, onClose }}
      />
    );
  }
  return (
    <FieldsStep
      {...{ fields, note, way, publishReason, onClose }}
      count={ids.length}
      onFields={(part) => setFields({ ...fields, ...part })}
      onNote={setNote}
      onWay={setWay}
      onShow={() => setIsShown(true)}
    />
  );
}

function wordsOf(path: string, way: EditWay): EditWords {
  const place = path === '' ? 'the document' : path;
  return {
    title: `Set ${place}`,
    act: 'contents.set',
    confirm: (items) => (way === 'draft' ? `Save ${items} as drafts` : `Set in ${items}`),
    what: (count) => `${place} of ${counted(count, 'item')}`,
    done: (items) =>
      way === 'draft' ? `${place} is saved in drafts of ${items}.` : `${place} is set in ${items}.`,
  };
}

interface FieldsStepProps {
  readonly fields: SetFields;
  readonly note: string;
  readonly way: EditWay;
  /** Why it cannot go live at once; null: it can. */
  readonly publishReason: string | null;
  readonly count: number;
  readonly onFields: (part: Partial<SetFields>) => void;
  readonly onNote: (note: string) => void;
  readonly onWay: (way: EditWay) => void;
  readonly onShow: () => void;
  readonly onClose: () => void;
}

function FieldsStep(props: FieldsStepProps) {
  const { fields, note, way, publishReason, count, onFields, onNote, onWay, onClose } = props;
  const [errors, setErrors] = useState<ReturnType<typeof setFieldIssues>>({});
  return (
    <FormDialog
      title={`Set a value in ${counted(count, 'item')}`}
      size="lg"
      confirm="Show changes"
      onClose={onClose}
      form={{
        submit: (event) => {
          event.preventDefault();
          const found = setFieldIssues(fields);
          setErrors(found);
          if (Object.keys(found).length === 0) props.onShow();
        },
        ...{ isPending: false, error: null, errors },
      }}
    >
      <TextInput
        data-autofocus
        label="Path"
        description="JSON Pointer of the value, such as /packs/pouch/price. An element of an array is its number, from 0."
        placeholder="/price"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={pathCharsMax}
        styles={monoInput}
        value={fields.path}
        error={errors.path}
        onChange={(event) => onFields({ path: event.currentTarget.value })}
      />
      <Textarea
        label="Value"
        description="JSON. It is saved as you type it: 1.10 stays 1.10, and text needs quotes."
        placeholder="3.99"
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        styles={monoInput}
        value={fields.value}
        error={errors.value}
        onChange={(event) => onFields({ value: event.currentTarget.value })}
      />
      <TextInput
        label="Only from app version"
        description="Empty: in all version lines that have the path."
        placeholder="2.0.0"
        autoComplete="off"
        styles={monoInput}
        value={fields.appVersion}
        error={errors.appVersion}
        onChange={(event) => onFields({ appVersion: event.currentTarget.value })}
      />
      <Checkbox
        label="Add it where only the last name of the path is missing"
        checked={fields.create}
        onChange={(event) => onFields({ create: event.currentTarget.checked })}
      />
      <Radio.Group
        label="Then"
        value={way}
        onChange={(chosen) => onWay(chosen as EditWay)}
        {...(publishReason !== null && { description: publishReason })}
      >
        <Group mt={6} gap="md">
          <Radio value="publish" label="Publish" disabled={publishReason !== null} />
          <Radio value="release" label="Add to a release" />
          <Radio value="draft" label="Save drafts" />
        </Group>
      </Radio.Group>
      <TextInput
        label="Reason for this change"
        maxLength={noteCharsMax}
        autoComplete="off"
        value={note}
        onChange={(event) => onNote(event.currentTarget.value)}
      />
      <Stack gap={0}>
        <Text size="sm" c="dimmed">
          Comments and all other bytes stay as they are. You see every value before it is saved.
        </Text>
      </Stack>
    </FormDialog>
  );
}
