import { z } from 'zod';
import { sourceProjection } from '../../../projections/source/source.ts';
import { lookupAnswer } from '../../../queries/lookup-answer.ts';
import { coordinate } from '../../domain/source/github-coordinate.ts';
import { lookUpReads } from '../../use-cases/look-up-repository.ts';
import { lookup } from '../answers/lookup.ts';
import { defineRoute, type Route } from '../route.ts';

const lookUpRepository = defineRoute({
  method: 'POST',
  path: '/lookups',
  tag: 'Lookups',
  summary: 'Find the source of a repository; the first call makes it, hidden, with its latest releases',
  access: 'write',
  params: z.object({}),
  query: z.object({}),
  body: z.strictObject({ provider: z.enum(['github']), coordinate }),
  idempotent: true,
  reads: lookUpReads,
  responses: { 200: lookup },
  handle: async ({ body, command, admin }, { lookUpRepository: lookUp, viewAfter, clock }) => {
    const { position: lookedUpAt, ...found } = await lookUp(body.coordinate, command);
    // Time has passed: what was brought in may be dated later than the request.
    const asking = { nowMs: clock.nowMs(), admin };
    const view = await viewAfter(lookUpReads, lookedUpAt);
    const answer = await lookupAnswer(view, found, asking);
    // Where nothing was found no stream was read, and the read models are the highest that was.
    const position = lookedUpAt || (await view.models.of(sourceProjection).checkpoint());
    // By these a purge or an erasure finds an answer that was kept for repeats.
    const toldOf = [answer.source, answer.relatedOrg, ...answer.releases].flatMap((told) => told?.id ?? []);
    return { status: 200, body: answer, position, releaseIds: toldOf };
  },
});

export const lookupRoutes: readonly Route[] = [lookUpRepository];
