/** The editor and the comparison of texts, loaded when a screen first shows one: CodeMirror is most of the console. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.js';
import type { DiffViewProps } from './diff-view.js';

const Editor = lazy(async () => ({ default: (await import('./code-editor.js')).CodeEditor }));
const Diff = lazy(async () => ({ default: (await import('./diff-view.js')).DiffView }));

export function LazyCodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton h={80} aria-label="Loading the editor" />}>
      <Editor {...props} />
    </Suspense>
  );
}

export function LazyDiffView(props: DiffViewProps) {
  return (
    <Suspense fallback={<Skeleton h={160} aria-label="Loading the differences" />}>
      <Diff {...props} />
    </Suspense>
  );
}
