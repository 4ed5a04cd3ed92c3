import { describe, expect, it } from 'vitest';
import { afterAttempt, begin, type DeliveryState, deliveryIdOf, messageOf } from '../../src/delivery/delivery-state.ts';
import type { DeliveryMessage } from '../../src/delivery/message.ts';
import { type AttemptResult, nextStep } from '../../src/delivery/next-step.ts';
import { createSeeded, type Seeded } from '../spec/seeded.ts';

const delaysMs = [50, 200, 400];
const eventId = 'evt_EEEEEEEEEEEEEEEEEEEEE';
const releaseId = 'rel_RRRRRRRRRRRRRRRRRRRRR';
const subscriptions = ['whk_AAAAAAAAAAAAAAAAAAAAA', 'whk_BBBBBBBBBBBBBBBBBBBBB'];

interface Stored {
  readonly doc: DeliveryState;
  readonly revision: number;
}

/** One message in the hands of one member of the group; it moves one step at a time, and may be lost between any two. */
type Step =
  | { readonly kind: 'taken' }
  | { readonly kind: 'read'; readonly stored: Stored | null }
  | { readonly kind: 'sending'; readonly stored: Stored }
  | { readonly kind: 'written'; readonly next: DeliveryMessage | null };

interface Hand {
  readonly message: DeliveryMessage;
  step: Step;
}

interface Options {
  readonly leaseMs: number;
  readonly crashPercent: number;
}

const placeOf = ({ id, run, attempt }: DeliveryState): string => `${id} run ${run} attempt ${attempt}`;
const runOf = ({ id, run }: DeliveryState): string => `${id} run ${run}`;

const add = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  lists.set(key, [...(lists.get(key) ?? []), value]);
};

/** A bus that repeats and reorders, a store with compare-and-set, and members that take turns in any order. */
function simulate(random: Seeded, { leaseMs, crashPercent }: Options) {
  let nowMs = 0;
  let waiting: DeliveryMessage[] = [];
  let hands: Hand[] = [];
  const store = new Map<string, Stored>();
  const begun = new Map<string, { atMs: number; leaseUntilMs: number }[]>();
  const concluded = new Map<string, string>();
  const finals = new Map<string, string[]>();

  const write = (doc: DeliveryState, expected: number): Stored | null => {
    if ((store.get(doc.id)?.revision ?? 0) !== expected) return null;
    const stored = { doc, revision: expected + 1 };
    store.set(doc.id, stored);
    return stored;
  };

  const anyResult = (): AttemptResult =>
    random.pick<AttemptResult>([
      { kind: 'answer', status: 200, retryAfter: null },
      { kind: 'answer', status: 404, retryAfter: null },
      { kind: 'answer', status: 503, retryAfter: '1' },
      { kind: 'failure', reason: 'timeout' },
      { kind: 'failure', reason: 'network' },
    ]);

  const finish = (hand: Hand, produced: readonly DeliveryMessage[]): void => {
    hands = hands.filter((other) => other !== hand);
    waiting.push(...produced);
  };

  const beginStep = (hand: Hand, stored: Stored | null): void => {
    const result = begin(stored?.doc ?? null, hand.message, nowMs, leaseMs);
    if (result.kind === 'stale') return finish(hand, result.next === null ? [] : [result.next]);
    if (result.kind === 'busy') return finish(hand, [{ ...hand.message, notBefore: result.untilMs }]);
    const written = write(result.document, stored?.revision ?? 0);
    if (written === null) {
      hand.step = { kind: 'taken' };
      return;
    }
    add(begun, placeOf(written.doc), { atMs: nowMs, leaseUntilMs: nowMs + leaseMs });
    hand.step = { kind: 'sending', stored: written };
  };

  const endStep = (hand: Hand, { doc, revision }: Stored): void => {
    const step = nextStep({
      number: doc.attempt,
      result: anyResult(),
      delaysMs,
      nowMs,
      randomFraction: random.int(0, 99) / 100,
    });
    const { document, message } = afterAttempt(doc, step, nowMs);
    if (write(document, revision) === null) {
      hand.step = { kind: 'taken' }; // its lease ran out and another member has the attempt
      return;
    }
    expect(concluded.has(placeOf(doc)), `${placeOf(doc)} ended twice`).toBe(false);
    concluded.set(placeOf(doc), step.outcome);
    if (document.phase === 'final') add(finals, runOf(doc), step.outcome);
    hand.step = { kind: 'written', next: message };
  };

  const advance = (hand: Hand): void => {
    const { step } = hand;
    switch (step.kind) {
      case 'taken':
        hand.step = { kind: 'read', stored: store.get(deliveryIdOf(eventId, hand.message.webhookId)) ?? null };
        return;
      case 'read':
        return beginStep(hand, step.stored);
      case 'sending':
        return endStep(hand, step.stored);
      case 'written':
        return finish(hand, step.next === null ? [] : [step.next]);
    }
  };

  const take = (): void => {
    const due = waiting.filter(({ notBefore }) => notBefore <= nowMs);
    if (due.length === 0) return;
    const message = random.pick(due);
    waiting = waiting.filter((other) => other !== message);
    hands.push({ message, step: { kind: 'taken' } });
  };

  /** The bus hands over again what a lost member had in hand. */
  const crash = (hand: Hand): void => finish(hand, [hand.message]);

  const sweep = (overdueMs: number): void => {
    for (const { doc } of store.values()) {
      const message = messageOf(doc);
      if (message !== null && message.notBefore + overdueMs <= nowMs) waiting.push(message);
    }
  };

  const play = (steps: number): void => {
    for (let step = 0; step < steps; step += 1) {
      if (hands.length > 0 && random.chance(crashPercent)) crash(random.pick(hands));
      if (waiting.length > 0 && waiting.length < 20 && random.chance(5)) waiting.push({ ...random.pick(waiting) });
      if (random.chance(2)) sweep(100);
      if (random.chance(30)) nowMs += random.int(1, 60);
      if (hands.length < 4 && random.chance(50)) take();
      if (hands.length > 0) advance(random.pick(hands));
    }
  };

  /** Nothing fails any more, nobody asks for more, and time passes as needed. */
  const settle = (): void => {
    sweep(0);
    for (let rounds = 0; hands.length > 0 || waiting.length > 0; rounds += 1) {
      expect(rounds, 'messages go round for ever').toBeLessThan(5_000);
      take();
      if (hands.length > 0) advance(random.pick(hands));
      else nowMs = Math.max(nowMs, Math.min(...waiting.map(({ notBefore }) => notBefore)));
    }
  };

  waiting = subscriptions.map((webhookId) => ({
    eventId,
    webhookId,
    releaseId,
    run: 1,
    attempt: 1,
    notBefore: 0,
  }));
  play(random.int(20, 400));
  settle();
  return { store, begun, concluded, finals };
}

function checkEndings({ store, concluded, finals }: ReturnType<typeof simulate>): void {
  expect(store.size).toBe(subscriptions.length);
  for (const { doc } of store.values()) {
    expect(doc.phase).toBe('final');
    for (let run = 1; run <= doc.run; run += 1) expect(finals.get(runOf({ ...doc, run }))).toHaveLength(1);
    expect(finals.get(runOf(doc))).toEqual([doc.outcome]);
    for (let attempt = 1; attempt < doc.attempt; attempt += 1) {
      expect(concluded.get(placeOf({ ...doc, attempt }))).toBe('retry');
    }
  }
}

describe('whatever the members of a group do in whatever order', () => {
  const seeds = Array.from({ length: 150 }, (_, seed) => seed);

  it('begins each attempt once and ends each run once, while no lease runs out', () => {
    for (const seed of seeds) {
      const played = simulate(createSeeded(seed), { leaseMs: 1e9, crashPercent: 0 });
      for (const [place, begins] of played.begun) expect(begins, `seed ${seed}: ${place}`).toHaveLength(1);
      expect([...played.concluded.keys()].sort()).toEqual([...played.begun.keys()].sort());
      checkEndings(played);
    }
  });

  it('begins an attempt again only after its lease, and still ends it once, when members are lost', () => {
    let again = 0;
    for (const seed of seeds) {
      const played = simulate(createSeeded(seed), { leaseMs: 120, crashPercent: 8 });
      for (const [place, begins] of played.begun) {
        again += begins.length - 1;
        for (const [index, { atMs }] of begins.entries()) {
          const before = begins[index - 1];
          if (before !== undefined) expect(atMs, `seed ${seed}: ${place}`).toBeGreaterThanOrEqual(before.leaseUntilMs);
        }
      }
      expect([...played.concluded.keys()].sort()).toEqual([...played.begun.keys()].sort());
      checkEndings(played);
    }
    expect(again).toBeGreaterThan(0); // the seeds do lose members in the middle of an attempt
  });
});
