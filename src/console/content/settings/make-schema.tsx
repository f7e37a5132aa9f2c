/** Makes a schema from the texts of a content item, and from what its targeting may deliver; the person edits it before saving. */

import { useMutation } from '@tanstack/react-query';
import { TextIssue } from '../../../content/json/text-issue.js';
import { inferSchema } from '../../../content/schema/infer-schema.js';
import { schemaBytesMax } from '../../../contract/limits.js';
import { emptyMapping, noSchema } from '../../draft/content-query.js';
import type { ContentState, SavedContent } from '../../draft/draft.js';
import { useDraft } from '../../draft/draft-context.js';
import { IconWand } from '../../icons/icons.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { notifyDone, notifyFailed } from '../../parts/notify.js';
import { ToolButton } from '../../parts/tool-button.js';
import { requestEnvelope } from '../values/envelope-query.js';

/** A unit of text takes up to three bytes, and people add to it. */
const charsMax = schemaBytesMax / 4;

export function MakeSchema() {
  const { saved, state, change } = useDraft();
  const making = useMutation({
    mutationFn: () => schemaOf(saved, state),
    onSuccess: ({ schema, isPartial }) => {
      change({ schema });
      notifyDone(
        `The schema is a draft: edit it before you save.${isPartial ? ' The targeting can deliver more values than are listed; check what the tests of rules say.' : ''}`,
      );
    },
    onError: notifyFailed,
  });
  const isReplacing = state.schema !== noSchema;
  const make = (): void => {
    if (!isReplacing) making.mutate();
    else
      askToConfirm({
        title: 'Replace the schema?',
        text: 'A schema made from the texts takes the place of this one. Until you save, the saved schema stays in force.',
        confirm: 'Replace the schema',
        onConfirm: () => making.mutate(),
      });
  };
  return (
    <ToolButton icon={IconWand} onClick={make} loading={making.isPending}>
      {isReplacing ? 'Make from the text…' : 'Make a schema from the text'}
    </ToolButton>
  );
}

interface MadeSchema {
  readonly schema: string;
  /** The targeting may deliver values that it does not know of. */
  readonly isPartial: boolean;
}

async function schemaOf(saved: SavedContent, state: ContentState): Promise<MadeSchema> {
  const isTargeted = state.mapping !== emptyMapping;
  const lines = isTargeted ? (await requestEnvelope(saved, state)).lines : [];
  const texts = state.lines.map(({ text }) => text);
  const delivered = lines.flatMap(({ paths }) => paths);
  const schema = inferSchema({ texts, delivered }, charsMax);
  if (schema instanceof TextIssue) {
    throw new Error(`Line ${schema.line}, column ${schema.column}: ${schema.message}`);
  }
  return { schema, isPartial: lines.some(({ truncated, unbounded }) => truncated || unbounded) };
}
