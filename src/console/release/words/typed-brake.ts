/** A brake as its form holds it, and as it is sent. Pure. */
import type { ReleaseBrake } from '../../../contract/schemas/release.js';
import { defaultReceipts } from '../../releases/words/brake.js';

export interface TypedBrake {
  readonly action: 'stop' | 'pause';
  readonly hasReceipts: boolean;
  readonly receiptMinutes: number | '';
  readonly hasQuery: boolean;
  readonly query: string;
  readonly side: 'above' | 'below';
  readonly threshold: number | '';
  readonly queryMinutes: number | '';
  readonly noData: 'ignore' | 'bad';
}

export function typedBrakeOf(brake: ReleaseBrake | null): TypedBrake {
  const { minutes } = brake?.receipts ?? defaultReceipts;
  const query = brake?.query ?? null;
  return {
    action: brake?.action ?? 'stop',
    hasReceipts: brake?.receipts != null,
    receiptMinutes: minutes,
    hasQuery: query !== null,
    query: query?.query ?? '',
    side: query?.below === undefined ? 'above' : 'below',
    threshold: query?.above ?? query?.below ?? '',
    queryMinutes: query?.minutes ?? 5,
    noData: query?.noData ?? 'ignore',
  };
}

/** Null: no brake; undefined: something is missing. */
export function brakeOf(typed: TypedBrake): ReleaseBrake | null | undefined {
  const { action, hasReceipts, receiptMinutes, hasQuery } = typed;
  if (!hasReceipts && !hasQuery) return null;
  if (hasReceipts && (receiptMinutes === '' || receiptMinutes < 1)) return undefined;
  const receipts = hasReceipts && receiptMinutes !== '' ? { minutes: receiptMinutes } : null;
  const query = hasQuery ? queryOf(typed) : null;
  return query === undefined ? undefined : { action, receipts, query };
}

function queryOf(typed: TypedBrake): ReleaseBrake['query'] | undefined {
  const { query, side, threshold, queryMinutes, noData } = typed;
  if (query.trim() === '' || threshold === '' || queryMinutes === '') return undefined;
  const limit = side === 'above' ? { above: threshold } : { below: threshold };
  return { query: query.trim(), ...limit, minutes: queryMinutes, noData };
}
