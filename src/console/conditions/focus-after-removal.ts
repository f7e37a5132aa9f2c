/** Where the focus goes when the rule that had it is removed: to the group it was in, whose next rule may be added. */
import styles from './condition-builder.module.css';

/** Marks the button that takes the focus. */
export const addRuleMark = { 'data-add-rule': true } as const;

/** @param button of the rule or group that is about to go */
export function focusGroupAround(button: Element, isGroup: boolean): void {
  const own = button.closest(`.${styles['group']}`);
  const group = isGroup ? own?.parentElement?.closest(`.${styles['group']}`) : own;
  group?.querySelector<HTMLElement>('[data-add-rule]')?.focus();
}
