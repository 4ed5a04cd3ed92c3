import { playbooksProjection } from '../../../projections/playbooks/playbooks.ts';
import { orgDetail, orgDetailReads } from '../../../queries/orgs/org-detail.ts';
import { playbookOf } from '../../../queries/playbook.ts';
import type { Answer, RouteRequest } from '../route.ts';
import type { ReadView } from '../services.ts';

type Asker = Pick<RouteRequest<unknown, unknown, unknown>, 'caller' | 'admin' | 'nowMs'>;

export const orgAnswerReads = [...orgDetailReads, playbooksProjection];

/** The playbook is for callers with a credential, and then no cache may keep the answer. */
export const orgAnswer = async (
  view: ReadView,
  org: string,
  { caller, admin, nowMs }: Asker,
): Promise<Pick<Answer, 'body' | 'headers'>> => {
  const detail = await orgDetail(view, { org }, { nowMs, admin });
  if (caller.kind === 'anonymous') return { body: detail };
  const playbook = await playbookOf(view, detail.id);
  return { body: { ...detail, playbook }, headers: { 'CDN-Cache-Control': 'no-store' } };
};
