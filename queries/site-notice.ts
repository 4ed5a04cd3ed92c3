import { noticesProjection } from '../projections/notices/notices.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';

export const siteNoticeReads = [noticesProjection];

/** A draft shows to admins only (contract 10.2). */
export const siteNotice = async ({ models }: Pick<QueryDeps, 'models'>, { admin }: Pick<Asking, 'admin'>) => {
  const [stored] = await models.of(noticesProjection).get(['site']);
  if (stored === undefined || !(stored.notice.active || admin)) return { notice: null };
  return { notice: { ...stored.notice, updatedAt: stored.updatedAt } };
};
