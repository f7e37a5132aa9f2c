/** Gives up the saved draft for what is live, by a rollback to the live revision. */
import { useDraft } from '../../draft/draft-context.js';
import { TypeToConfirm } from '../../parts/form/type-to-confirm.js';
import { notifyDone } from '../../parts/notify.js';
import { usePublish } from '../save/use-publish.js';

export function DiscardDraftDialog({ onClose }: { readonly onClose: () => void }) {
  const { live, newest, author } = useDraft().saved;
  const discarding = usePublish('rollback', live ?? 0, '', (published) => {
    notifyDone(`The draft is discarded: revision ${published.live} is the same as r${live}.`);
    onClose();
  });
  return (
    <TypeToConfirm
      title={`Discard draft r${newest}?`}
      name={null}
      confirm="Discard the draft"
      isPending={discarding.isPending}
      error={discarding.error}
      onConfirm={() => discarding.mutate(undefined)}
      onClose={onClose}
    >
      You continue from what is live: r{live} is saved again, as r{newest + 1}. Players see no
      difference, and the draft by {author} stays in the history.
    </TypeToConfirm>
  );
}
