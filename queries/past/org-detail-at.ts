import { overviewsProjection } from '../../projections/overviews/overviews.ts';
import { playbooksProjection } from '../../projections/playbooks/playbooks.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { isOrgVisible, sightOn, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { neverFetched } from '../../src/records/fetch-state.ts';
import { type OrgDetail, orgDetailOf } from '../orgs/org-detail.ts';
import { unlessWithdrawn } from '../overview.ts';
import { shownPlaybook } from '../playbook.ts';
import type { Asking } from '../shape/query-deps.ts';
import { sourceRecord } from '../shape/source/source-record.ts';
import { replacedDocumentAt } from './documents-at.ts';
import { inTurn } from './in-turn.ts';
import type { PastDeps } from './past-deps.ts';
import { createPastEntities } from './past-entities.ts';
import { createPastNumbers } from './past-numbers.ts';
import { orgRowsAt } from './past-rows.ts';

const readOrgDetail = async (
  deps: PastDeps,
  { id, identifier, atMs }: { readonly id: string; readonly identifier: string; readonly atMs: number },
  { nowMs, admin }: Asking,
): Promise<OrgDetail> => {
  const sight = sightOn(admin, id);
  const past = createPastEntities(deps, { atMs, sight });
  await past.loadWholeOrg(id);
  const org = past.reads.org(id);
  if (org === undefined || !isOrgVisible(org, sight)) throw notFound('org', identifier);
  const counting = createPastNumbers();
  for await (const rows of orgRowsAt(deps, id, { atMs, nowMs })) rows.forEach(counting.add);
  const catalogue = { ...past.reads, instantsOf: await counting.instantsOf(() => deps.clock.sleep(0)) };
  const asking = { nowMs: atMs, admin };
  const sources = visibleSourcesOf(catalogue, id, sight).sort(byName);
  // How fetching went is bookkeeping, of which only the last state is kept: of then nothing is known.
  const records = sources.map((source) =>
    sourceRecord({ catalogue }, { source, fetched: neverFetched }, sight, asking),
  );
  const written = await replacedDocumentAt(deps, { projection: overviewsProjection, category: 'overview' }, id, atMs);
  const overview = await unlessWithdrawn(deps, written, nowMs);
  return orgDetailOf(catalogue, { org, sources, records, overview }, sight, atMs);
};

/** The org as it was recorded at a moment, with the numbers of that moment (contract 3.2). */
export const orgDetailAt = async (
  deps: PastDeps,
  { org: identifier, atMs }: { readonly org: string; readonly atMs: number },
  asking: Asking,
): Promise<OrgDetail> => {
  const { id } = resolveOrg(deps.catalogue, identifier, asking.admin);
  const question = { orgId: id, asked: ['org-detail', identifier, atMs, asking.admin] };
  return inTurn(deps, question, () => readOrgDetail(deps, { id, identifier, atMs }, asking));
};

/** For callers with a credential only. */
export const playbookAt = async (deps: Pick<PastDeps, 'streams'>, orgId: string, atMs: number) =>
  shownPlaybook(await replacedDocumentAt(deps, { projection: playbooksProjection, category: 'playbook' }, orgId, atMs));
