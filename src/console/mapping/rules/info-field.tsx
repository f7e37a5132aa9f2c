/** The label for analytics of a rule or of one variant. */

import { setRuleMember, setVariantMember } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';

export interface InfoFieldProps {
  readonly value: string | null;
  /** Place of the variant; null: the rule's own. */
  readonly variant: number | null;
}

export function InfoField({ value, variant }: InfoFieldProps) {
  const { readOnly, edit } = useRule();
  const keep = (text: string): void => {
    const source = text === '' ? null : JSON.stringify(text);
    edit((mapping, rule) =>
      variant === null
        ? setRuleMember(mapping, rule, 'info', source)
        : setVariantMember(mapping, rule, variant, 'info', source),
    );
  };
  return (
    <TextField
      label={variant === null ? 'Label for analytics' : 'Label for analytics of this variant'}
      description={
        variant === null
          ? 'Optional. Sent with the name, as i in meta.seg.'
          : "Optional. Sent as i in meta.seg instead of the rule's."
      }
      value={value ?? ''}
      onText={keep}
      error={useFieldError(variant === null ? 'info' : `variants[${variant}].info`)}
      readOnly={readOnly}
      maxLength={1024}
      maw={460}
    />
  );
}
