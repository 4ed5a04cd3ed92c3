import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { naiveRegistry } from './naive-registry.ts';
import { type NaiveView, naiveView } from './naive-view.ts';

/**
 * What everybody who asks now may see of a moment (contract 3.2): the events recorded until then, without what is not seen
 * today. What is purged is as if it had never been.
 */
export const naivePast = (log: readonly RecordedEvent[], atMs: number, today: NaiveView): NaiveView => {
  const { registry } = today;
  const then = naiveRegistry(log.filter(({ metadata }) => Date.parse(metadata.recordedAt) <= atMs));
  const isIn = (rows: readonly { readonly id: string }[], id: string) => rows.some((row) => row.id === id);
  const veiled = <Row extends { readonly id: string; readonly hidden: boolean }>(
    rows: readonly Row[],
    known: readonly { readonly id: string; readonly purged: boolean }[],
    visible: readonly { readonly id: string }[],
  ): Row[] =>
    rows
      .filter(({ id }) => !known.some((row) => row.id === id && row.purged))
      .map((row) => ({ ...row, hidden: row.hidden || !isIn(visible, row.id) }));
  const past = {
    ...then,
    orgs: veiled(then.orgs, registry.orgs, today.orgs),
    products: veiled(then.products, registry.products, today.products),
    sources: veiled(then.sources, registry.sources, today.sources),
    releases: then.releases.map((row) => ({ ...row, suppressed: row.suppressed || !isIn(today.releases, row.id) })),
  };
  // Of fetches only the last state is kept.
  return { ...naiveView(past, atMs), releasesToday: today.releases, fetchStateOf: () => neverFetched };
};
