import type { Mistake } from '../mistake.ts';

/** From an event to its receivers: at least once, in time, and to nobody else. */
export const deliveryMistakes: readonly Mistake[] = [
  {
    name: 'relay-checkpoint-before-producing',
    file: 'src/runtime/relay/relay.ts',
    text: 'const { taken, messages } = await relayStep(deps, opened, rest);',
    replacement: `const early = relayCheckpointChange({ position: end, generation, busId, deliverSinceMs });
      await transactLeased(ops, lease, [early]);
      const { taken, messages } = await relayStep(deps, opened, rest);`,
    wrong: 'A crash between the two loses announcements for good.',
    tests: ['test/runtime/relay/relay-restarts.test.ts'],
  },
  {
    name: 'relay-does-not-wait-for-read-models',
    file: 'src/runtime/relay/relay.ts',
    text: 'if (announcedAt !== null) await passReadModels(announcedAt, over);',
    replacement: '',
    wrong: 'A receiver that asks back does not find the release that it was told of.',
    tests: ['test/runtime/relay/read-models-gate.test.ts'],
  },
  {
    name: 'delivery-sent-before-it-is-taken',
    file: 'src/runtime/deliverer/take-delivery.ts',
    text: 'const outcome = await write(deliveryChange(begun.document, revision));',
    replacement: `void write(deliveryChange(begun.document, revision));
      const outcome: TransactionOutcome = 'written';`,
    wrong: 'Two members that were handed the same message both send it.',
    tests: ['test/runtime/deliverer/take-delivery.test.ts'],
  },
  {
    name: 'offset-committed-before-the-ledger',
    file: 'src/runtime/deliverer/handle-delivery.ts',
    text: ': send(taken.begun, taken.plan.attempt, lost);',
    replacement: ': void send(taken.begun, taken.plan.attempt, lost);',
    wrong: 'A crash while a receiver answers loses what follows from its answer.',
    tests: ['test/runtime/deliverer/at-least-once.test.ts'],
  },
  {
    name: 'offset-committed-past-an-unfinished-message',
    file: 'src/adapters/dispatch/offset-window.ts',
    text: 'return first;',
    replacement: 'return Math.max(first, end);',
    wrong: 'A crash loses a message that took longer than those behind it.',
    tests: ['test/adapters/dispatch/offset-window.test.ts'],
  },
  {
    name: 'attempt-of-another-member-overwritten',
    file: 'src/runtime/deliverer/attempt-ledger.ts',
    text: 'const end = isTakenOver ? [logRowChange(row)] : endChanges(attempt);',
    replacement: 'const end = endChanges({ ...attempt, revision: stored?.revision ?? 0 });',
    wrong: 'A member that was taken for lost undoes what the other one has done.',
    tests: ['test/runtime/deliverer/attempt-ledger.test.ts'],
  },
  {
    name: 'signature-over-another-timestamp',
    file: 'src/delivery/sign.ts',
    text: '`${eventId}.${timestamp}.${body}`',
    replacement: '`${eventId}.${timestamp + 1}.${body}`',
    wrong: 'No receiver can verify what it is sent.',
    tests: ['test/delivery/sign.test.ts'],
  },
  {
    name: 'signed-timestamp-in-milliseconds',
    file: 'src/runtime/deliverer/make-attempt.ts',
    text: 'const timestamp = Math.floor(atMs / 1_000);',
    replacement: 'const timestamp = atMs;',
    wrong: 'Every receiver refuses what it is sent as far from now.',
    tests: ['test/runtime/deliverer/deliverer.test.ts'],
  },
  {
    name: 'retry-after-below-the-delay',
    file: 'src/delivery/next-step.ts',
    text: 'Math.min(Math.max(askedMs, delayMs), 2 * delayMs)',
    replacement: 'Math.min(askedMs, 2 * delayMs)',
    wrong: 'A receiver in trouble that asks for no pause is sent all attempts at once.',
    tests: ['test/delivery/next-step.test.ts'],
  },
  {
    name: 'mapped-addresses-allowed',
    file: 'src/delivery/private-addresses.ts',
    text: "'::ffff:0:0/96', ",
    replacement: '',
    wrong: 'A webhook reaches the inside of the network by an IPv6 spelling of an IPv4 address.',
    tests: ['test/delivery/private-addresses.test.ts'],
  },
];
