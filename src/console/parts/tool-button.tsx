/** A small button above a view. */
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentType } from 'react';

export interface ToolButtonProps extends ButtonProps {
  readonly icon?: ComponentType<{ size: number; 'aria-hidden': true }>;
  readonly onClick: () => void;
}

export function ToolButton({ icon: Icon, ...button }: ToolButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={Icon === undefined ? undefined : <Icon size={14} aria-hidden />}
      {...button}
    />
  );
}
