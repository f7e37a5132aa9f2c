/** Validates the typed state on the server, a moment after the last change; only the newest state is sent. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { contentKeyOf, emptyMapping, type LoadedContent, noSchema } from './content-query.js';
import type { ContentState, ValidationResult } from './draft.js';
import { identityOf } from './identity.js';
import { dryRun } from './put-edit.js';
import { isLong } from './state-parts.js';

const pauseMs = 400;
const longPauseMs = 1_500;

/** A typed state and the saved one that it builds on. The pair is replaced when either of them is. */
export interface TypedEdit {
  readonly base: LoadedContent;
  readonly state: ContentState;
}

export interface Validation {
  readonly result: ValidationResult | null;
  readonly isPending: boolean;
  /** Why there is no result; the typed state is not the reason. */
  readonly error: Error | null;
}

export function useValidation(edit: TypedEdit, isDirty: boolean, mayEdit: boolean): Validation {
  const [settled] = useDebouncedValue(edit, isLong(edit.state) ? longPauseMs : pauseMs);
  const { env, id, newest, live, mapping, flags, schema } = edit.base;
  // A saved state was validated by the save. Its rules and flags have warnings, and a draft may break its schema.
  const mayHaveWarnings = mapping !== emptyMapping || flags.length > 0;
  const mayHaveIssues = mayHaveWarnings || (schema !== noSchema && newest !== live);
  const isWanted = mayEdit && (isDirty || mayHaveIssues);
  const asked = useQuery({
    queryKey: [...contentKeyOf(env, id), 'validation', identityOf(settled)],
    queryFn: ({ signal }) =>
      dryRun({ saved: settled.base, state: settled.state, publish: false }, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // Results are matched to states by identity.
    structuralSharing: false,
  });
  return {
    result: asked.data ?? null,
    isPending: isWanted && (asked.isFetching || asked.isPlaceholderData || settled !== edit),
    error: asked.error,
  };
}
