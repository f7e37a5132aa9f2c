/** One part of a content item that another user or this one changed: three texts, compared in pairs. */
import { Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type PartName, titleOfPart } from '../../draft/state-parts.js';
import { CodeEditor, type CodeEditorProps } from '../../parts/code/code-editor.js';
import { DiffView } from '../../parts/code/diff-view.js';
import { shownText } from '../compare/part-accordion.js';
import styles from '../content.module.css';

export type Choice = 'mine' | 'theirs';

export interface ConflictPartProps {
  readonly name: PartName;
  readonly author: string;
  /** null: the part does not exist on that side. */
  readonly base: string | null;
  readonly mine: string | null;
  readonly theirs: string | null;
  readonly isTheirs: boolean;
  readonly isMine: boolean;
  /** null: only one side changed it. */
  readonly choice: Choice | null;
  readonly onChoice: (choice: Choice) => void;
  readonly onByHand: (text: string) => void;
}

type View = 'theirs' | 'mine' | 'both' | 'hand';

export function ConflictPart(props: ConflictPartProps) {
  const { name, author, base, mine, theirs, isTheirs, isMine, choice, onChoice, onByHand } = props;
  const [view, setView] = useState<View>(isTheirs ? 'theirs' : 'mine');
  const isList = name === 'tags' || name === 'flags' || name === 'guards';
  const mayEdit = choice !== null && mine !== null && !isList;
  const views = [
    { value: 'theirs', label: `Saved by ${author}`, isOffered: isTheirs },
    { value: 'mine', label: 'Typed by you', isOffered: isMine },
    { value: 'both', label: 'Theirs and yours', isOffered: isTheirs && isMine },
    { value: 'hand', label: 'Edit by hand', isOffered: mayEdit },
  ].flatMap(({ isOffered, ...one }) => (isOffered ? [one] : []));
  const started = { text: base, label: 'Where you started' };
  const saved = {
    text: theirs,
    label: theirs === null ? `${author} removed it` : `Saved by ${author}`,
  };
  const typed = { text: mine, label: mine === null ? 'You removed it' : 'As you typed it' };
  const pairs = { theirs: [started, saved], mine: [started, typed], both: [saved, typed] } as const;
  return (
    <Stack gap="sm">
      {choice !== null && (
        <Radio.Group
          label={`Which ${titleOfPart(name).toLowerCase()} to keep?`}
          value={choice}
          onChange={(value) => onChoice(value === 'theirs' ? 'theirs' : 'mine')}
        >
          <Group mt={4}>
            <Radio value="mine" label={mine === null ? 'Yours: removed' : 'Yours'} />
            <Radio value="theirs" label={`${author}’s${theirs === null ? ': removed' : ''}`} />
          </Group>
        </Radio.Group>
      )}
      {views.length > 1 && (
        <SegmentedControl
          aria-label={`How to compare ${name}`}
          data={views}
          value={view}
          onChange={(value) => setView(value as View)}
          style={{ alignSelf: 'flex-start', flexWrap: 'wrap', maxWidth: '100%' }}
        />
      )}
      {view === 'hand' ? (
        <div className={styles['sides']}>
          <Side
            title={`Saved by ${author}`}
            name={name}
            label={`${titleOfPart(name)} as ${author} saved it`}
            value={theirs ?? ''}
            readOnly
          />
          <Side
            title="Yours, to edit"
            name={name}
            label={`${titleOfPart(name)} as it will be`}
            value={mine ?? ''}
            onChange={(text) => {
              onByHand(text);
              onChoice('mine');
            }}
          />
        </div>
      ) : (
        <DiffView
          before={shownText(name, pairs[view][0].text ?? '')}
          after={shownText(name, pairs[view][1].text ?? '')}
          beforeLabel={pairs[view][0].label}
          afterLabel={pairs[view][1].label}
        />
      )}
    </Stack>
  );
}

interface SideProps extends CodeEditorProps {
  readonly title: string;
  readonly name: PartName;
}

function Side({ title, name, ...editor }: SideProps) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <CodeEditor
        minRows={12}
        maxRows={22}
        language={name === 'description' ? 'text' : 'jsonc'}
        {...editor}
      />
    </div>
  );
}
