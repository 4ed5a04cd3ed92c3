import { orgDetail } from '../../../queries/org-detail.ts';
import type { Answer, RouteRequest } from '../route.ts';
import type { ReadView } from '../services.ts';

type Asker = Pick<RouteRequest<unknown, unknown, unknown>, 'caller' | 'admin' | 'nowMs'>;

/** The playbook is for callers with a credential; no event writes one, so it is null for all of them. */
export const orgAnswer = async (
  view: ReadView,
  org: string,
  { caller, admin, nowMs }: Asker,
): Promise<Pick<Answer, 'body' | 'headers'>> => {
  const detail = await orgDetail(view, { org }, { nowMs, admin });
  if (caller.kind === 'anonymous') return { body: detail };
  return { body: { ...detail, playbook: null }, headers: { 'CDN-Cache-Control': 'no-store' } };
};
