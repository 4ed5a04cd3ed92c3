import { linkAccount } from '../../../commands/org/link-account.ts';
import { unlinkAccount } from '../../../commands/org/unlink-account.ts';
import { orgListReads } from '../../../queries/orgs/org-list.ts';
import { accountFields } from '../../domain/org/accounts.ts';
import { account } from '../answers/org.ts';
import { defineRoute, type Route } from '../route.ts';
import { noQuery, orgOfPath, orgParams } from './org-path.ts';

const linkAccountRoute = defineRoute({
  method: 'POST',
  path: '/orgs/:slug/accounts',
  tag: 'Orgs',
  summary: 'Link an account on another platform to an org',
  extension: true,
  access: 'write',
  params: orgParams,
  query: noQuery,
  body: accountFields,
  idempotent: true,
  reads: orgListReads,
  responses: { 201: account },
  handle: async (request, services) => {
    const { body, command } = request;
    const { id: orgId } = await orgOfPath(request, services);
    const { position } = await services.commands.run(linkAccount, { orgId, account: body }, command);
    await services.viewAfter(orgListReads, position);
    return { status: 201, position, body };
  },
});

const unlinkAccountRoute = defineRoute({
  method: 'DELETE',
  path: '/orgs/:slug/accounts/:platform/:handle',
  tag: 'Orgs',
  summary: 'Take the link to an account back',
  extension: true,
  access: 'write',
  params: orgParams.extend(accountFields.shape),
  query: noQuery,
  reads: orgListReads,
  responses: { 204: null },
  handle: async (request, services) => {
    const { platform, handle } = request.params;
    const { id: orgId } = await orgOfPath(request, services);
    const input = { orgId, account: { platform, handle } };
    const { position } = await services.commands.run(unlinkAccount, input, request.command);
    await services.viewAfter(orgListReads, position);
    return { status: 204, position };
  },
});

export const orgAccountRoutes: readonly Route[] = [linkAccountRoute, unlinkAccountRoute];
