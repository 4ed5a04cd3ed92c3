import { z } from 'zod';
import type { OrgDocument } from '../../../projections/org/org.ts';
import { resolveOrg } from '../../catalogue/resolve.ts';
import type { Answer, RouteRequest } from '../route.ts';
import type { Services } from '../services.ts';
import { orgAnswer, orgAnswerReads } from './org-answer.ts';

/** What routes below an org have in common. */
export const orgParams = z.object({ slug: z.string() });
export const noQuery = z.object({});

type OrgRequest = RouteRequest<{ readonly slug: string }, unknown, unknown>;

export const orgOfPath = async ({ params, admin }: OrgRequest, services: Services): Promise<OrgDocument> =>
  resolveOrg((await services.view()).catalogue, params.slug, admin);

interface Written {
  readonly id: string;
  readonly position: number;
}

export const answerWrittenOrg = async (
  status: number,
  { id, position }: Written,
  request: RouteRequest<unknown, unknown, unknown>,
  services: Services,
): Promise<Answer> => {
  const view = await services.viewAfter(orgAnswerReads, position);
  // A purge finds an answer that was kept for repeats as an erasure does: by the id of what it tells of.
  return { status, position, releaseIds: [id], ...(await orgAnswer(view, id, request)) };
};
