import type { Seeded } from '../../seeded.ts';
import type { RawRequest } from './raw-request.ts';
import { type KnownValidators, strangeHeads } from './strange-heads.ts';
import { type PlainTarget, strangeTargets, targetOf } from './strange-targets.ts';

/** In an order that a seed repeats. */
export function shuffled<T>(random: Seeded, list: readonly T[]): T[] {
  const shuffling = [...list];
  for (let end = shuffling.length - 1; end > 0; end -= 1) {
    const other = random.int(0, end);
    [shuffling[end], shuffling[other]] = [shuffling[other]!, shuffling[end]!];
  }
  return shuffling;
}

export const plainRequest = (plain: PlainTarget): RawRequest => ({
  method: 'GET',
  target: targetOf(plain),
  headers: [],
});

/** With both a strange target and a strange head. */
const mixed = 60;

/** So many strange targets, strange heads, and some with both, by chance and in an order by chance. */
export function requestVariants(
  plain: PlainTarget,
  { known, random, count }: { readonly known: KnownValidators; readonly random: Seeded; readonly count: number },
): RawRequest[] {
  const targets = strangeTargets(plain);
  const heads = strangeHeads(known);
  const both = Array.from({ length: mixed }, () => ({ ...random.pick(heads), target: random.pick(targets) }));
  const all = [
    ...targets.map((target): RawRequest => ({ method: 'GET', target, headers: [] })),
    ...heads.map((head): RawRequest => ({ ...head, target: targetOf(plain) })),
    ...both,
  ];
  return shuffled(random, all).slice(0, count);
}
