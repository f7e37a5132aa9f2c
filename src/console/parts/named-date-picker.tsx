/** A picker of a day and a time whose every control has a name. */
import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useId } from 'react';

const timeLabels = {
  hoursInputLabel: 'Hours',
  minutesInputLabel: 'Minutes',
  secondsInputLabel: 'Seconds',
};

export interface NamedDatePickerProps extends DateTimePickerProps<'default'> {
  readonly label: string;
}

export function NamedDatePicker({ label, ...rest }: NamedDatePickerProps) {
  const id = useId();
  return (
    <DateTimePicker
      // The calendar is named by what opens it, which Mantine looks for under this id.
      id={id}
      popoverProps={{ id }}
      previousLabel="Previous month"
      nextLabel="Next month"
      timePickerProps={timeLabels}
      label={label}
      // It is text of a button, not of an input, and as such must be as readable as any other.
      styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      submitButtonProps={{ 'aria-label': 'Done' }}
      {...rest}
    />
  );
}
