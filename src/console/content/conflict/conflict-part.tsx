/** One part of a content that somebody else changed, or that was changed here: three texts, looked at in pairs. */
import { Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { lineOfPart, type PartName, titleOfPart } from '../../draft/state-parts.js';
import { CodeEditor } from '../../parts/code/code-editor.js';
import { DiffView } from '../../parts/code/diff-view.js';
import { shownText } from '../compare/state-diff.js';
import styles from '../content.module.css';

export type Choice = 'mine' | 'theirs';

export interface ConflictPartProps {
  readonly name: PartName;
  readonly author: string;
  /** null: the part is not there on that side. */
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

type View = 'theirs' | 'mine' | 'against' | 'hand';

export function ConflictPart(props: ConflictPartProps) {
  const { name, author, base, mine, theirs, isTheirs, isMine, choice, onChoice, onByHand } = props;
  const shown = (text: string | null): string => (text === null ? '' : shownText(name, text));
  const [view, setView] = useState<View>(isTheirs ? 'theirs' : 'mine');
  const mayEdit = choice !== null && mine !== null && name !== 'tags';
  const views: { value: View; label: string }[] = [
    ...(isTheirs ? [{ value: 'theirs' as const, label: `What ${author} saved` }] : []),
    ...(isMine ? [{ value: 'mine' as const, label: 'What you typed' }] : []),
    ...(isTheirs && isMine ? [{ value: 'against' as const, label: 'Theirs and yours' }] : []),
    ...(mayEdit ? [{ value: 'hand' as const, label: 'Edit by hand' }] : []),
  ];
  return (
    <Stack gap="sm">
      {choice !== null && (
        <Radio.Group
          label={`Which ${titleOfPart(name).toLowerCase()} stays?`}
          value={choice}
          onChange={(value) => onChoice(value === 'theirs' ? 'theirs' : 'mine')}
        >
          <Group mt={4}>
            <Radio value="mine" label={mine === null ? 'Yours: removed' : 'Yours'} />
            <Radio
              value="theirs"
              label={theirs === null ? `That of ${author}: removed` : `That of ${author}`}
            />
          </Group>
        </Radio.Group>
      )}
      {views.length > 1 && (
        <SegmentedControl
          aria-label={`How to look at ${name}`}
          data={views}
          value={view}
          onChange={(value) => setView(value as View)}
          style={{ alignSelf: 'flex-start', flexWrap: 'wrap', maxWidth: '100%' }}
        />
      )}
      {view === 'theirs' && (
        <DiffView
          before={shown(base)}
          after={shown(theirs)}
          beforeLabel="Where you began"
          afterLabel={theirs === null ? `${author} removed it` : `Saved by ${author}`}
        />
      )}
      {view === 'mine' && (
        <DiffView
          before={shown(base)}
          after={shown(mine)}
          beforeLabel="Where you began"
          afterLabel={mine === null ? 'You removed it' : 'As you typed it'}
        />
      )}
      {view === 'against' && (
        <DiffView
          before={shown(theirs)}
          after={shown(mine)}
          beforeLabel={`Saved by ${author}`}
          afterLabel="As you typed it"
        />
      )}
      {view === 'hand' && (
        <div className={styles['sides']}>
          <Side title={`Saved by ${author}`}>
            <CodeEditor
              label={`${titleOfPart(name)} as ${author} saved it`}
              value={theirs ?? ''}
              readOnly
              minRows={12}
              maxRows={22}
              language={lineOfPart(name) === null && name === 'description' ? 'text' : 'jsonc'}
            />
          </Side>
          <Side title="Yours, to be edited">
            <CodeEditor
              label={`${titleOfPart(name)} as it will be`}
              value={mine ?? ''}
              onChange={(text) => {
                onByHand(text);
                onChoice('mine');
              }}
              minRows={12}
              maxRows={22}
              language={lineOfPart(name) === null && name === 'description' ? 'text' : 'jsonc'}
            />
          </Side>
        </div>
      )}
    </Stack>
  );
}

function Side({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {children}
    </div>
  );
}
