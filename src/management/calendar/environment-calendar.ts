/** Makes the calendar of an environment, by reading the mappings of its contents: each once, as long as it is remembered. */
import type { Calendar } from '../../contract/operations/calendar.js';
import type { Work } from '../jobs/work.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { Store } from '../store/store.js';
import { toIso } from '../to-iso.js';
import {
  type CalendarFacts,
  type CalendarReleaseFacts,
  type ContentMapping,
  readCalendarFacts,
  refOf,
} from './calendar-facts.js';
import type { CalendarRange } from './calendar-range.js';
import { Conflicts, type RangedRelease } from './conflicts.js';
import { MappingPlans } from './mapping-plans.js';
import type { MappingPlan } from './plan-mapping.js';
import { releaseEntries } from './release-entries.js';
import { type PlacedWindow, WindowEntries, type WindowOrigin } from './window-entries.js';

/** The windows of a mapping that are shown, by the place of their rule. */
type Placed = ReadonlyMap<number, PlacedWindow>;

interface Page {
  readonly environment: string;
  readonly range: CalendarRange;
  readonly facts: CalendarFacts;
  readonly windows: WindowEntries;
  readonly conflicts: Conflicts;
  /** Some mapping had more pairs of rules than are compared. */
  arePairsCut: boolean;
}

export class EnvironmentCalendar {
  readonly #store: Store;
  readonly #plans: MappingPlans;

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#plans = new MappingPlans(store, work);
  }

  /**
   * Null: there is no such environment. Mappings are read one by one, each in a moment of its own.
   * @throws WorkFailed, WorkTooLong
   */
  async show(environment: string, range: CalendarRange): Promise<Calendar | null> {
    const facts = await readCalendarFacts(this.#store, environment, range);
    if (facts === null) return null;
    const [windows, conflicts] = [new WindowEntries(), new Conflicts()];
    const page: Page = { environment, range, facts, windows, conflicts, arePairsCut: false };
    const pace = new EventLoopYielder();
    for (const id of contentsOf(facts)) {
      if (windows.areCut) break;
      await this.#addContent(page, id);
      await pace.step();
    }
    addReleasePairs(page);
    return {
      from: toIso(range.fromMs),
      until: toIso(range.untilMs),
      entries: [...windows.all, ...facts.releases.flatMap((one) => releaseEntries(one, range))],
      conflicts: conflicts.all,
      truncated: {
        entries: windows.areCut,
        occurrences: windows.areOccurrencesCut,
        conflicts: conflicts.areCut || page.arePairsCut || windows.areCut,
      },
    };
  }

  /** What is live, what the releases bring, and the draft. */
  async #addContent(page: Page, id: string): Promise<void> {
    const { environment, facts, range } = page;
    const live = facts.live.get(id) ?? null;
    let placed: Placed = new Map();
    if (live !== null) {
      const plan = await this.#plans.plan(environment, live.ref, null);
      placed = place(page, plan, { ...originOf(live), live: true, release: null }, range, placed);
    }
    let isBrought = false;
    const draft = facts.drafts.get(id);
    for (const release of facts.releases) {
      if (release.release.state === 'live' || !release.reach.has(id)) continue;
      isBrought ||= release.changes.get(id)?.revision === draft?.revision;
      await this.#addBrought(page, release, id, live, placed);
    }
    if (draft === undefined || isBrought) return;
    const plan = await this.#plans.plan(environment, draft.ref, live?.ref ?? null);
    place(page, plan, { ...originOf(draft), live: false, release: null }, range, placed);
  }

  /** What a release makes of a content. */
  async #addBrought(
    page: Page,
    facts: CalendarReleaseFacts,
    id: string,
    live: ContentMapping | null,
    ofLive: Placed,
  ): Promise<void> {
    const ranged = rangedOf(facts, page.range);
    if (ranged === null) return;
    const brought = mappingOf(page.facts, facts, id, live);
    if (brought === null) {
      for (const window of ofLive.values()) page.conflicts.addRelease(window, ranged, [''], null);
      return;
    }
    const plan = await this.#plans.plan(page.environment, brought.ref, live?.ref ?? null);
    const { release, range } = ranged;
    const placed = place(page, plan, { ...originOf(brought), live: false, release }, range, ofLive);
    for (const { liveRule, paths } of plan.gone) {
      const window = ofLive.get(liveRule);
      if (window !== undefined) page.conflicts.addRelease(window, ranged, paths, null);
    }
    for (const touch of plan.touches) {
      const [a, b] = [touch.a, touch.b].map((rule) => windowOf(plan, rule));
      // A release may change its own rules on purpose, one after the other.
      const only = a === undefined ? b : b === undefined ? a : undefined;
      if (only === undefined || only.liveRule === null) continue;
      const window = placed.get(only.rule);
      if (window !== undefined) page.conflicts.addRelease(window, ranged, touch.paths, touch);
    }
  }
}

/** Adds the windows of a mapping that are not shown with the live one, and the conflicts between its windows. */
function place(
  page: Page,
  plan: MappingPlan,
  origin: WindowOrigin,
  range: CalendarRange,
  ofLive: Placed,
): Placed {
  const placed = new Map<number, PlacedWindow>();
  for (const window of plan.windows) {
    const shown =
      window.liveRule === null
        ? page.windows.add(origin, window, range)
        : (ofLive.get(window.liveRule) ?? null);
    if (shown !== null) placed.set(window.rule, shown);
  }
  for (const touch of plan.touches) {
    const [a, b] = [placed.get(touch.a), placed.get(touch.b)];
    if (a !== undefined && b !== undefined) page.conflicts.addWindows(a, b, touch, range);
  }
  page.arePairsCut ||= plan.cut;
  return placed;
}

function windowOf(
  { windows }: MappingPlan,
  rule: number,
): MappingPlan['windows'][number] | undefined {
  return windows.find((window) => window.rule === rule);
}

function addReleasePairs({ facts, range, conflicts }: Page): void {
  for (const [at, one] of facts.releases.entries()) {
    for (const other of facts.releases.slice(at + 1)) {
      const [a, b] = [rangedOf(one, range), rangedOf(other, range)];
      if (a === null || b === null) continue;
      for (const [id, { id: content }] of one.changes) {
        if (other.changes.has(id)) conflicts.addReleases(a, b, content);
      }
    }
  }
}

/** Null: it is live, or begins after the range. */
function rangedOf(
  { release, projected }: CalendarReleaseFacts,
  { fromMs, untilMs }: CalendarRange,
): RangedRelease | null {
  const beginsMs = Math.max(fromMs, projected.fromMs);
  if (release.state === 'live' || beginsMs >= untilMs) return null;
  return { release: release.release, range: { fromMs: beginsMs, untilMs } };
}

/** What a release delivers of a content that it reaches; null: nothing, or no rules. */
function mappingOf(
  facts: CalendarFacts,
  { changes, segments }: CalendarReleaseFacts,
  id: string,
  live: ContentMapping | null,
): ContentMapping | null {
  const revisions = new Map([...facts.segments, ...segments]);
  const change = changes.get(id);
  if (change === undefined) {
    if (live === null) return null;
    const names = live.ref.segments.map(({ name }) => name);
    return { ...live, ref: refOf(live.ref.mapping, names, revisions) };
  }
  const { mapping, revision } = change;
  if (mapping === null || revision === null) return null;
  return { id: change.id, revision, ref: refOf(mapping, change.segments, revisions) };
}

function originOf({ id, revision }: ContentMapping): Pick<WindowOrigin, 'content' | 'revision'> {
  return { content: id, revision };
}

/** Lower-case ids, ascending. */
function contentsOf({ live, drafts, releases }: CalendarFacts): string[] {
  const ids = new Set([...live.keys(), ...drafts.keys()]);
  for (const { changes } of releases) for (const id of changes.keys()) ids.add(id);
  return [...ids].sort();
}
