/** The text of a version line as something else than text: as a table or as a form, whose code is loaded once the page is idle. */
import { Suspense, useEffect } from 'react';
import type { EditedTextProps } from '../../parts/code/edited-text.js';
import { loadedLater, preloadWhenIdle } from '../../parts/navigation/loaded-later.js';
import { Waiting } from '../../parts/waiting.js';
import type { TextView } from './text-view.js';

const TableView = loadedLater(async () => (await import('../table/table-view.js')).TableView);
const FormView = loadedLater(async () => (await import('../form/form-view.js')).FormView);

export interface ValueViewsProps extends Omit<EditedTextProps, 'pointer' | 'onPointer'> {
  readonly view: TextView;
  readonly onView: (view: TextView) => void;
  readonly appVersion: string;
}

/** Nothing where the text is shown as text. */
export function ValueViews({ view, onView, appVersion, ...props }: ValueViewsProps) {
  const { shown, pointer } = view;
  useEffect(() => preloadWhenIdle(TableView, FormView), []);
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
