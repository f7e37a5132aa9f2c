/** How the text of a content item is shown: as it is written, as a table of one of its arrays, or as a form of its schema. Kept in the address, for links. */
import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';

export const textViews = [
  { value: 'text', label: 'Text' },
  { value: 'table', label: 'Table' },
  { value: 'form', label: 'Form' },
] as const;

export type TextViewName = (typeof textViews)[number]['value'];

export interface TextView {
  readonly shown: TextViewName;
  /** JSON Pointer of the array that a table shows, or the section that a form opens; null: the longest one, or none. */
  readonly pointer: string | null;
}

export function useTextView(): readonly [TextView, (view: TextView) => void] {
  const [params, setParams] = useSearchParams();
  const shown = textViews.find(({ value }) => value === params.get('view'))?.value ?? 'text';
  const change = (view: TextView): void => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('view');
        next.delete('at');
        if (view.shown !== 'text') next.set('view', view.shown);
        if (view.pointer !== null) next.set('at', view.pointer);
        return next;
      },
      { replace: true },
    );
  };
  return [{ shown, pointer: shown === 'text' ? null : params.get('at') }, change];
}

export interface TextViewChoiceProps {
  readonly shown: TextViewName;
  readonly onShow: (shown: TextViewName) => void;
}

export function TextViewChoice({ shown, onShow }: TextViewChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      data={textViews.map(({ value, label }) => ({ value, label }))}
      value={shown}
      onChange={(value) => onShow(value as TextViewName)}
      aria-label="Show the text as"
    />
  );
}
