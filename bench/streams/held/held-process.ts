/** Entry point of a process that holds streams: opens as many as it is asked for, and opens again what ends. */
import { type FromHeld, type HeldPlan, monotonicMs, type ToHeld, type Wake } from './held-plan.js';
import { HeldStream, type HeldStreamEvents } from './held-stream.js';

/** Connections that wait for their first answer at the same time. */
const openingMax = 100;
/** Messages about many streams are sent together. */
const togetherMs = 5;
const faultsMax = 5;

const streams: HeldStream[] = [];
/** Those to be opened as soon as there is room. */
const waiting: HeldStream[] = [];
const opening = new Set<HeldStream>();
let plan: HeldPlan | null = null;
let up = 0;
let upAtMs = 0;
let ended = 0;
let refused = 0;
let faults = 0;
let wakes: Wake[] = [];
let isDue = false;

const send = (message: FromHeld): void => {
  process.send?.(message);
};

const events: HeldStreamEvents = {
  isUp: (stream, isUp) => {
    up += isUp ? 1 : -1;
    if (!isUp) ended += 1;
    upAtMs = monotonicMs();
    opening.delete(stream);
    report();
    openNext();
  },
  woken: (stream, sequence, ids) => {
    wakes.push({ stream: stream.number, sequence, ids, atMs: monotonicMs() });
    report();
  },
  closed: (stream, delayMs, wasRefused) => {
    if (wasRefused) refused += 1;
    opening.delete(stream);
    setTimeout(() => {
      waiting.push(stream);
      openNext();
    }, delayMs);
    openNext();
  },
  fault: (text) => {
    faults += 1;
    if (faults <= faultsMax) send({ type: 'fault', text });
  },
};

function report(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    if (wakes.length > 0) send({ type: 'woken', wakes });
    wakes = [];
    send({ type: 'state', up, upAtMs, ended, refused });
  }, togetherMs);
}

function openNext(): void {
  while (opening.size < openingMax) {
    const stream = waiting.shift();
    if (stream === undefined) return;
    opening.add(stream);
    stream.open();
  }
}

function hold(count: number): void {
  if (plan === null) throw new Error('Streams need a plan first.');
  for (const stream of streams.splice(count)) stream.close();
  while (streams.length < count) {
    const stream = new HeldStream(plan.from + streams.length, plan, events);
    streams.push(stream);
    waiting.push(stream);
  }
  openNext();
}

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToHeld) => {
  if (message.type === 'hold') {
    hold(message.count);
    return;
  }
  plan = message.plan;
  send({ type: 'ready' });
});
