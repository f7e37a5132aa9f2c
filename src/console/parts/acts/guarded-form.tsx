/** A form whose sending players notice: in a protected environment it says so, and asks by the one rule (D68). */
import { FormDialog, type FormDialogProps } from '../form/form-dialog.js';
import { type GuardedActOptions, useGuardedAct } from './use-guarded-act.js';

export type GuardedFormProps = FormDialogProps &
  Pick<GuardedActOptions, 'env' | 'act'> & {
    readonly isFelt?: boolean | undefined;
    /** When the field for the name takes the focus; left out: another field may have it. */
    readonly focusName?: GuardedActOptions['focus'] | undefined;
    /** Stands behind the name of the environment on the button. */
    readonly confirmSuffix?: string | undefined;
  };

export function GuardedForm(props: GuardedFormProps) {
  const { env, act, isFelt = true, focusName = 'never', confirmSuffix = '', ...form } = props;
  const { confirm, color, isDisabled = false, focus, children } = form;
  const guarded = useGuardedAct({ env, act, isFelt, focus: focusName });
  return (
    <FormDialog
      {...form}
      confirm={guarded.confirm(confirm) + confirmSuffix}
      color={color ?? guarded.color}
      isDisabled={isDisabled || !guarded.isConfirmed}
      focus={guarded.isTyped ? undefined : focus}
    >
      {children}
      {guarded.notice}
    </FormDialog>
  );
}
