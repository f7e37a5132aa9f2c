/** Shown while something loads, with its name for screen readers. */
import { Center, Loader, VisuallyHidden } from '@mantine/core';

export interface WaitingProps {
  readonly label: string;
  readonly height?: number;
}

export function Waiting({ label, height = 240 }: WaitingProps) {
  return (
    <Center mih={height} role="status">
      <Loader size={height < 160 ? 'sm' : 'md'} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </Center>
  );
}
