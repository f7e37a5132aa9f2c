/** Moves the focus when a condition is removed: to the button of its bracket that adds the next one. */
import styles from './condition-builder.module.css';

/** Marks the button that takes the focus. */
export const addRuleMark = { 'data-add-rule': true } as const;

/** @param button of the condition or bracket that is about to be removed */
export function focusBracketAround(button: Element, isBracket: boolean): void {
  const own = button.closest(`.${styles['group']}`);
  const group = isBracket ? own?.parentElement?.closest(`.${styles['group']}`) : own;
  group?.querySelector<HTMLElement>('[data-add-rule]')?.focus();
}
