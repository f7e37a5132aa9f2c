/** What all fields of a form share: the text, its schema, and how both are reached. */
import { createContext, use } from 'react';
import type { TextNode, TextTree } from '../../../content/json/text-tree.js';
import type { FormErrors } from './form-errors.js';

export interface FormShared {
  readonly tree: TextTree;
  readonly schema: TextTree;
  readonly readOnly: boolean;
  readonly errors: FormErrors;
  /** @param byDefault unless a person opened or closed it */
  isOpen(pointer: string, byDefault: boolean): boolean;
  setOpen(pointer: string, isOpen: boolean): void;
  /** Page of a long list or object that is shown, from 0. */
  pageOf(pointer: string): number;
  setPage(pointer: string, page: number): void;
  /** @param focus JSON Pointer of the field that has the focus then */
  change(text: string, focus?: string): void;
  goToText(node: TextNode): void;
}

export const FormContext = createContext<FormShared | null>(null);

export function useForm(): FormShared {
  const form = use(FormContext);
  if (form === null) throw new Error('useForm is for the fields of a form.');
  return form;
}
