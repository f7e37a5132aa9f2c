/** The text of a version line as something else than text: as a table or as a form, each loaded where it is shown. */
import { lazy, Suspense } from 'react';
import type { EditedTextProps } from '../../parts/code/edited-text.js';
import { Waiting } from '../../parts/waiting.js';
import type { TextView } from './text-view.js';

const TableView = lazy(async () => ({
  default: (await import('../table/table-view.js')).TableView,
}));
const FormView = lazy(async () => ({
  default: (await import('../form/form-view.js')).FormView,
}));

export interface ValueViewsProps extends Omit<EditedTextProps, 'pointer' | 'onPointer'> {
  readonly view: TextView;
  readonly onView: (view: TextView) => void;
  readonly appVersion: string;
}

/** Nothing where the text is shown as text. */
export function ValueViews({ view, onView, appVersion, ...props }: ValueViewsProps) {
  const { shown, pointer } = view;
  if (shown === 'text') return null;
  const place = {
    pointer,
    onPointer: (next: string) => onView({ shown, pointer: next }),
  };
  return (
    <Suspense fallback={<Waiting label={`Loading the ${shown}`} height={320} />}>
      {shown === 'table' ? (
        <TableView key={appVersion} {...props} {...place} />
      ) : (
        <FormView key={appVersion} {...props} {...place} appVersion={appVersion} />
      )}
    </Suspense>
  );
}
