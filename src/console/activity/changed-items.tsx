/** What an event changed in the values of content items: path, before and after, with a link to the whole difference. */
import { Anchor, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import type { AuditEvent, ChangedItem, ChangedPlace } from '../../contract/operations/audit.js';
import { IconArrowRight } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf } from '../parts/environments.js';
import classes from './activity.module.css';

/** In a row; the details have the rest. */
const itemsShownMax = 3;
const placesShownMax = 3;

export interface ChangedItemsProps {
  readonly event: AuditEvent;
  /** Whether its environment still exists and can be linked to. */
  readonly isLinked: boolean;
}

export function ChangedItems({ event, isLinked }: ChangedItemsProps) {
  const { items = [], environment, action } = event;
  const isOfItem = action.startsWith('content.');
  const shown = items.filter(({ places, cut }) => places > 0 || cut).slice(0, itemsShownMax);
  if (shown.length === 0) return null;
  return (
    <Stack gap={2} mt={2}>
      {shown.map((item) => (
        <div key={item.content}>
          {!isOfItem && (
            <Text size="sm" span fw={600} mr={6}>
              {item.content}
            </Text>
          )}
          {item.shown.slice(0, placesShownMax).map((place) => (
            <Place key={`${place.appVersion} ${place.path}`} place={place} />
          ))}
          <More env={environment} item={item} isLinked={isLinked} />
        </div>
      ))}
      {items.length > shown.length && (
        <Text size="sm" c="dimmed">
          and more items
        </Text>
      )}
    </Stack>
  );
}

function Place({ place }: { readonly place: ChangedPlace }) {
  const { appVersion, path, before, after } = place;
  const where = appVersion === null ? 'targeting' : appVersion === '0.0.0' ? '' : appVersion;
  return (
    <Text size="sm" className={classes['change']}>
      <span className="mono">{path === '' ? 'whole text' : path}</span>
      {where !== '' && (
        <Text span size="xs" c="dimmed">
          {' '}
          {where}
        </Text>
      )}{' '}
      <Value value={before} none="new" />{' '}
      <IconArrowRight size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
      <VisuallyHidden> became </VisuallyHidden> <Value value={after} none="removed" />
    </Text>
  );
}

function Value({ value, none }: { readonly value: string | null; readonly none: string }) {
  if (value === null) return <i>{none}</i>;
  return <span className="mono">{value.length > 60 ? `${value.slice(0, 59)}…` : value}</span>;
}

interface MoreProps {
  readonly env: string;
  readonly item: ChangedItem;
  readonly isLinked: boolean;
}

/** How much more changed, and where the whole of it is. */
function More({ env, item, isLinked }: MoreProps) {
  const { content, from, to, places, cut, shown } = item;
  const left = places - Math.min(shown.length, placesShownMax);
  const rest = left > 0 ? `and ${counted(left, 'more place')}` : '';
  const unknown = cut ? 'more changed than is indexed' : '';
  const words = [rest, unknown].filter((text) => text !== '').join('; ');
  const isCompared = isLinked && from !== null && to !== null;
  if (words === '' && !isCompared) return null;
  return (
    <Text size="sm" c="dimmed">
      {words}
      {isCompared && (
        <>
          {words !== '' && ' · '}
          <Anchor component={Link} href={pathOf.diff(env, content, from, to)} underline="always">
            r{from} to r{to}
            <VisuallyHidden> of {content}</VisuallyHidden>
          </Anchor>
        </>
      )}
    </Text>
  );
}
