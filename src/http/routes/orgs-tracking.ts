import { z } from 'zod';
import { createStub } from '../../../commands/org/create-stub.ts';
import { requestTracking } from '../../../commands/org/request-tracking.ts';
import { orgListReads } from '../../../queries/orgs/org-list.ts';
import { orgStubFields } from '../../domain/org/fields.ts';
import { demoteOrg } from '../../use-cases/demote-org.ts';
import { promoteOrg } from '../../use-cases/promote-org.ts';
import { demotedOrg, orgDetail, promotedOrg, requestedTracking } from '../answers/org.ts';
import { defineRoute, type Route } from '../route.ts';
import { orgAnswer, orgAnswerReads } from './org-answer.ts';
import { answerWrittenOrg, noQuery, orgOfPath, orgParams } from './org-path.ts';

const createStubRoute = defineRoute({
  method: 'POST',
  path: '/orgs/stub',
  tag: 'Orgs',
  summary: 'Create an org of which only is known where it publishes',
  extension: true,
  access: 'admin',
  params: z.object({}),
  query: noQuery,
  body: orgStubFields,
  idempotent: true,
  reads: orgAnswerReads,
  responses: { 201: orgDetail },
  handle: async (request, services) => {
    const written = await services.commands.run(createStub, request.body, request.command);
    return answerWrittenOrg(201, written, request, services);
  },
});

const promoteRoute = defineRoute({
  method: 'POST',
  path: '/orgs/:slug/promote',
  tag: 'Orgs',
  summary: 'Make sources of the locations of a stub and track it',
  extension: true,
  access: 'admin',
  params: orgParams,
  query: noQuery,
  idempotent: true,
  reads: orgAnswerReads,
  responses: { 200: promotedOrg },
  handle: async (request, services) => {
    const { catalogue } = await services.view();
    const { id } = await orgOfPath(request, services);
    const isProductThere = (productId: string) => catalogue.product(productId)?.deletedAt === null;
    const { commands } = services;
    const { createdSources, position } = await promoteOrg({ commands, isProductThere }, id, request.command);
    const view = await services.viewAfter(orgAnswerReads, position);
    const { body: org, headers = {} } = await orgAnswer(view, id, request);
    // A purge finds an answer that was kept for repeats as an erasure does: by the id of what it tells of.
    return { status: 200, position, releaseIds: [id], headers, body: { org, createdSources } };
  },
});

const demoteRoute = defineRoute({
  method: 'POST',
  path: '/orgs/:slug/demote',
  tag: 'Orgs',
  summary: 'Make a stub of an org without sources',
  extension: true,
  access: 'admin',
  params: orgParams,
  query: noQuery,
  reads: orgAnswerReads,
  responses: { 200: demotedOrg },
  handle: async (request, services) => {
    const { id } = await orgOfPath(request, services);
    const { commands } = services;
    const hasSource = async (orgId: string, position: number) => {
      const { catalogue } = await services.viewAfter(orgAnswerReads, position);
      return catalogue.sourcesOfOrg(orgId).some(({ deletedAt }) => deletedAt === null);
    };
    const { position } = await demoteOrg({ commands, hasSource }, id, request.command);
    const { body: org, headers = {} } = await orgAnswer(await services.view(), id, request);
    return { status: 200, position, headers, body: { org } };
  },
});

const requestTrackingRoute = defineRoute({
  method: 'POST',
  path: '/orgs/:slug/request-tracking',
  tag: 'Orgs',
  summary: 'Ask for a stub to be tracked',
  extension: true,
  access: 'credential',
  params: orgParams,
  query: noQuery,
  idempotent: true,
  reads: orgListReads,
  responses: { 202: requestedTracking },
  handle: async (request, services) => {
    const { id: orgId } = await orgOfPath(request, services);
    const { state, position } = await services.commands.run(requestTracking, { orgId }, request.command);
    await services.viewAfter(orgListReads, position);
    return { status: 202, position, body: { requested: true, trackingRequestedAt: state.trackingRequestedAt } };
  },
});

export const orgTrackingRoutes: readonly Route[] = [createStubRoute, promoteRoute, demoteRoute, requestTrackingRoute];
