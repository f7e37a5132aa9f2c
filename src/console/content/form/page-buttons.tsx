/** Long lists and objects a page at a time, so that a form of a long text opens at once. */
import { Button, Group, Text } from '@mantine/core';
import { counted } from '../../parts/counted.js';
import { useForm } from './form-context.js';

export const pageSize = 25;

export interface Page {
  /** Places of the first one shown, and behind the last one. */
  readonly from: number;
  readonly to: number;
  /** Shows the page that a place is on. */
  readonly show: (place: number) => void;
}

/** @param pointer of the list or object */
export function usePage(pointer: string, count: number): Page {
  const { pageOf, setPage } = useForm();
  const last = Math.max(0, Math.ceil(count / pageSize) - 1);
  const from = Math.min(pageOf(pointer), last) * pageSize;
  return {
    from,
    to: Math.min(count, from + pageSize),
    show: (place) => setPage(pointer, Math.floor(place / pageSize)),
  };
}

export interface PageButtonsProps extends Page {
  readonly count: number;
  readonly of: string;
}

export function PageButtons({ from, to, show, count, of }: PageButtonsProps) {
  if (count <= pageSize) return null;
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" disabled={from === 0} onClick={() => show(from - 1)}>
        Previous
      </Button>
      <Text size="sm" role="status">
        {from + 1} to {to} of {counted(count, of)}
      </Text>
      <Button variant="default" size="xs" disabled={to >= count} onClick={() => show(to)}>
        Next
      </Button>
    </Group>
  );
}
