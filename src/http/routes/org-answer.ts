import { playbooksProjection } from '../../../projections/playbooks/playbooks.ts';
import { orgDetail, orgDetailReads } from '../../../queries/orgs/org-detail.ts';
import { orgDetailAt, playbookAt } from '../../../queries/past/org-detail-at.ts';
import { playbookOf } from '../../../queries/playbook.ts';
import type { asOfMoment } from '../request/as-of.ts';
import type { Answer, RouteRequest } from '../route.ts';
import type { ReadView } from '../services.ts';

type Asker = Pick<RouteRequest<unknown, unknown, unknown>, 'caller' | 'admin' | 'nowMs'> & {
  /** Absent or null: of now. */
  readonly past?: ReturnType<typeof asOfMoment>;
};

export const orgAnswerReads = [...orgDetailReads, playbooksProjection];

/** The playbook is for callers with a credential, and then no cache may keep the answer. */
export const orgAnswer = async (
  view: ReadView,
  org: string,
  { caller, admin, nowMs, past = null }: Asker,
): Promise<Pick<Answer, 'body' | 'headers'>> => {
  const asking = { nowMs, admin };
  const detail =
    past === null ? await orgDetail(view, { org }, asking) : await orgDetailAt(view, { org, atMs: past.atMs }, asking);
  const headers = past?.headers ?? {};
  if (caller.kind === 'anonymous') return { body: detail, headers };
  const playbook = past === null ? await playbookOf(view, detail.id) : await playbookAt(view, detail.id, past.atMs);
  return { body: { ...detail, playbook }, headers: { ...headers, 'CDN-Cache-Control': 'no-store' } };
};
