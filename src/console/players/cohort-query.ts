/** Asks the server which players of a list were given a value: page after page, until all are done or it is stopped. */
import { useEffect, useRef, useState } from 'react';
import { JsonText } from '../../contract/client.js';
import { endOfRequest, type ListedPlayer } from '../../contract/players/player-list.js';
import type { CohortPlayer } from '../../contract/schemas/players/cohort-player.js';
import { request } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';

export interface CohortQuestion {
  readonly environment: string;
  readonly id: string;
  /** JSON Pointer. */
  readonly path: string;
  /** JSON source; null: any value. */
  readonly equals: string | null;
  /** RFC 3339. */
  readonly from: string;
  /** RFC 3339; null: now. */
  readonly to: string | null;
  readonly players: readonly ListedPlayer[];
}

export interface FoundPlayer extends CohortPlayer {
  readonly listed: ListedPlayer;
  /** Its place in the list, from 0. */
  readonly at: number;
}

/** What is known so far. */
export interface CohortRun {
  readonly question: CohortQuestion;
  readonly found: readonly FoundPlayer[];
  /** RFC 3339; null: no page has come yet. */
  readonly to: string | null;
  readonly isRunning: boolean;
  readonly error: unknown;
}

export interface CohortSearch {
  /** null: nothing was asked yet. */
  readonly run: CohortRun | null;
  readonly start: (question: CohortQuestion) => void;
  /** Keeps what was found. */
  readonly stop: () => void;
}

export function useCohort(): CohortSearch {
  const [run, setRun] = useState<CohortRun | null>(null);
  const asked = useRef<AbortController | null>(null);
  useEffect(() => () => asked.current?.abort(), []);
  const stop = (): void => {
    asked.current?.abort();
    setRun((last) => last && { ...last, isRunning: false });
  };
  const start = (question: CohortQuestion): void => {
    asked.current?.abort();
    const gone = new AbortController();
    asked.current = gone;
    setRun({ question, found: [], to: null, isRunning: true, error: null });
    const show = (next: Partial<CohortRun>): void => {
      if (!gone.signal.aborted) setRun((last) => last && { ...last, ...next });
    };
    findAll(question, gone.signal, (found, to) => show({ found, to })).then(
      () => show({ isRunning: false }),
      (error: unknown) => show({ isRunning: false, error }),
    );
  };
  return { run, start, stop };
}

async function findAll(
  { environment, id, path, equals, players, ...times }: CohortQuestion,
  signal: AbortSignal,
  onPage: (found: readonly FoundPlayer[], to: string) => void,
): Promise<void> {
  let found: readonly FoundPlayer[] = [];
  let { from, to } = times;
  while (found.length < players.length) {
    const done = found.length;
    const sources = players.slice(done, endOfRequest(players, done)).map(({ source }) => source);
    const fields = { id, path, from, to: to ?? undefined };
    const list = `[${sources.join(',')}]`;
    const body = objectSource(fields, { equals: equals ?? undefined, players: list });
    const page = await request(
      'POST /environments/:env/players/cohort',
      { params: { env: environment }, body: new JsonText(body) },
      signal,
    );
    // "Now" is the same moment on all pages.
    ({ from, to } = page);
    const more = page.players.flatMap((player, at) => {
      const listed = players[done + at];
      return listed === undefined ? [] : [{ ...player, listed, at: done + at }];
    });
    found = [...found, ...more];
    onPage(found, page.to);
  }
}
