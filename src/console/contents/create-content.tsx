/** Makes a content: saved at once as a draft, so that nothing is lost, and opened in the editor to go on. */
import { Button, Group, Input, Modal, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiProblem, call } from '../api/call.js';
import { putContent } from '../generated/admin-client.js';
import { CodeEditor, type CodeEditorHandle, type CodeMark } from '../parts/code-editor.js';
import { pathOf } from '../parts/environments.js';
import { fieldFault, otherFault } from '../parts/field-fault.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { contentIdFault } from './content-id-fault.js';
import styles from './contents.module.css';

const firstText = '{\n  \n}\n';
const fields = ['text', 'description', 'tags'];

export interface CreateContentProps {
  readonly env: string;
  /** Ids that are there, in lower case. */
  readonly taken: ReadonlySet<string>;
  readonly tags: readonly string[];
  /** What was searched for and not found. */
  readonly proposedId: string;
  readonly onClose: () => void;
}

export function CreateContent({ env, taken, tags, proposedId, onClose }: CreateContentProps) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const editor = useRef<CodeEditorHandle>(null);
  const idInput = useRef<HTMLInputElement>(null);
  const text = useRef(firstText);
  const [id, setId] = useState(proposedId);
  const [shown, setShown] = useState(firstText);
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [isTried, setIsTried] = useState(false);

  const creating = useMutation({
    mutationFn: () =>
      call(
        putContent({
          env,
          id,
          body: { text: text.current, description, tags: chosen, publish: false, ifRevision: 0 },
        }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      notifyDone(`${id} is saved as a draft. Publish it when it is ready.`);
      go(pathOf.content(env, id));
      window.scrollTo(0, 0);
    },
  });
  const { error } = creating;
  const isTaken = error instanceof ApiProblem && error.code === 'revision_conflict';
  const idFault = isTaken
    ? 'Somebody has just made a content with this id.'
    : contentIdFault(id, taken);
  const marks = useMemo(() => marksOf(error), [error]);
  const other = error === null || isTaken ? null : otherFault(error, fields);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (contentIdFault(id, taken) !== null) {
      idInput.current?.focus();
      return;
    }
    editor.current?.flush();
    creating.mutate();
  };
  const isIdFaultShown = idFault !== null && (isTried || id !== '');
  return (
    <Modal
      opened
      onClose={onClose}
      title={`New content in ${env}`}
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            ref={idInput}
            data-autofocus
            label="Id"
            description="Games ask for it by this name; it cannot be changed later."
            classNames={{ input: 'mono' }}
            placeholder="shop"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={id}
            error={isIdFaultShown ? idFault : null}
            onChange={(event) => {
              setId(event.currentTarget.value);
              creating.reset();
            }}
          />
          <Input.Wrapper
            label="Text"
            labelElement="div"
            description="JSON; comments and trailing commas are fine."
            error={fieldFault(error, 'text')}
          >
            <div className={styles['editor']}>
              <CodeEditor
                label="Text"
                value={shown}
                onChange={(value) => {
                  text.current = value;
                  setShown(value);
                }}
                marks={marks}
                minRows={6}
                maxRows={14}
                handle={editor}
              />
            </div>
          </Input.Wrapper>
          <Textarea
            label="Description"
            description="What it is for, in a sentence. Only people see it."
            autosize
            minRows={1}
            maxRows={4}
            value={description}
            error={fieldFault(error, 'description')}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <TagsInput
            label="Tags"
            description="To find it by; Enter adds one."
            data={[...tags]}
            value={chosen}
            error={fieldFault(error, 'tags')}
            onChange={setChosen}
            clearable
          />
          {other !== null && <ProblemAlert error={other} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create draft
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function marksOf(error: unknown): readonly CodeMark[] {
  if (!(error instanceof ApiProblem)) return [];
  return error.errors.flatMap(({ path, message, line, column }) =>
    path === 'text' && line !== undefined && column !== undefined
      ? [{ line, column, message, severity: 'error' as const }]
      : [],
  );
}
