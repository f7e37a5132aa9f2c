/** How soon the nodes of a fleet serve what one of them acknowledged, and whether any answer is older than it may be. */
import { contentPath, counted, keptConnection, type TestFleet } from './fleet.js';

/** Milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Propagation {
  /** From the answer to the edit until another node serves it; 0 when it did before. One per edit and node. */
  readonly afterAnswer: Spread;
  /** The same from the start of the edit. */
  readonly afterStart: Spread;
  /** How long the edit itself took. */
  readonly edit: Spread;
}

/** Edits through the nodes in turn; all others are read over kept connections, one question after the other. */
export async function measurePropagation(fleet: TestFleet, edits: number): Promise<Propagation> {
  const agents = fleet.nodes.map(() => keptConnection());
  const afterAnswer: number[] = [];
  const afterStart: number[] = [];
  const edit: number[] = [];
  for (let turn = 0; turn < edits; turn++) {
    const editor = turn % fleet.nodes.length;
    const others = fleet.nodes.map((_, at) => at).filter((at) => at !== editor);
    const number = fleet.written + 1;
    const startedMs = performance.now();
    const deadlineMs = startedMs + 20_000;
    const seen = others.map(async (at) => {
      while ((await fleet.read(at, agents[at])) < number) {
        if (performance.now() > deadlineMs) throw new Error(`node ${at} never served ${number}`);
      }
      return performance.now();
    });
    await fleet.edit(editor);
    const answeredMs = performance.now();
    edit.push(answeredMs - startedMs);
    for (const seenMs of await Promise.all(seen)) {
      afterAnswer.push(Math.max(0, seenMs - answeredMs));
      afterStart.push(seenMs - startedMs);
    }
  }
  for (const agent of agents) agent.destroy();
  return { afterAnswer: spread(afterAnswer), afterStart: spread(afterStart), edit: spread(edit) };
}

/**
 * Edits through the nodes in turn, and reads everywhere else at once with the number that the edit was given: the content
 * and the catalog. What was wrong with any of the answers.
 */
export async function staleReads(fleet: TestFleet, reads: number): Promise<string[]> {
  const agents = fleet.nodes.map(() => [keptConnection(), keptConnection()] as const);
  const wrong: string[] = [];
  for (let done = 0; done < reads; ) {
    const editor = fleet.written % fleet.nodes.length;
    const { number, sequence, hash } = await fleet.edit(editor);
    const headers = { 'x-min-sequence': String(sequence) };
    const asked = fleet.nodes.flatMap((_, at) => {
      if (at === editor) return [];
      const there = fleet.at(at);
      return [
        there.ask('POST', contentPath, {}, headers, agents[at]?.[0]),
        there.ask('GET', '/api/v1/env/catalog', undefined, headers, agents[at]?.[1]),
      ];
    });
    for (const [index, answer] of (await Promise.all(asked)).entries()) {
      const found = index % 2 === 0 ? answer.json.number : answer.json.catalog?.[counted]?.h;
      const isRight = found === (index % 2 === 0 ? number : hash);
      const isNew = Number(answer.header('x-sequence')) >= sequence;
      if (answer.status === 200 && isRight && isNew) continue;
      wrong.push(`${sequence}: ${answer.status} ${answer.header('x-sequence')} ${answer.text}`);
    }
    done += asked.length;
  }
  for (const agent of agents.flat()) agent.destroy();
  return wrong;
}

function spread(millis: number[]): Spread {
  const sorted = millis.toSorted((a, b) => a - b);
  const at = (part: number): number => round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function round(millis: number): number {
  return Math.round(millis * 10) / 10;
}
