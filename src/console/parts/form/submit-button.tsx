/** The button that sends a form, with an icon before its text. */
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentType } from 'react';

export interface SubmitButtonProps extends Pick<ButtonProps, 'children' | 'disabled' | 'loading'> {
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
}

export function SubmitButton({ icon: Icon, ...button }: SubmitButtonProps) {
  return <Button type="submit" leftSection={<Icon size={16} aria-hidden />} {...button} />;
}
