import { z } from 'zod';
import { removePlaybook } from '../../../commands/playbook/remove-playbook.ts';
import { writePlaybook } from '../../../commands/playbook/write-playbook.ts';
import { playbookOf } from '../../../queries/playbook.ts';
import { longText } from '../../domain/overview/fields.ts';
import { playbook } from '../answers/overview.ts';
import { defineRoute, type Route } from '../route.ts';
import { orgAnswerReads } from './org-answer.ts';
import { noQuery, orgOfPath, orgParams } from './org-path.ts';

const path = '/orgs/:slug/playbook';

const showPlaybook = defineRoute({
  method: 'GET',
  path,
  tag: 'Orgs',
  summary: 'Show the notes for those who look after an org; null when there are none',
  extension: true,
  access: 'credential',
  params: orgParams,
  query: noQuery,
  reads: orgAnswerReads,
  responses: { 200: playbook.nullable() },
  handle: async (request, services) => {
    const { id } = await orgOfPath(request, services);
    return { status: 200, body: await playbookOf(await services.view(), id) };
  },
});

const writePlaybookRoute = defineRoute({
  method: 'PUT',
  path,
  tag: 'Orgs',
  summary: 'Write the notes for those who look after an org',
  extension: true,
  access: 'admin',
  params: orgParams,
  query: noQuery,
  body: z.strictObject({ content: longText }),
  reads: orgAnswerReads,
  responses: { 200: playbook },
  handle: async (request, services) => {
    const { id: orgId } = await orgOfPath(request, services);
    const { position } = await services.commands.run(writePlaybook, { orgId, ...request.body }, request.command);
    const view = await services.viewAfter(orgAnswerReads, position);
    return { status: 200, position, body: await playbookOf(view, orgId) };
  },
});

const removePlaybookRoute = defineRoute({
  method: 'DELETE',
  path,
  tag: 'Orgs',
  summary: 'Remove the notes for those who look after an org',
  extension: true,
  access: 'admin',
  params: orgParams,
  query: noQuery,
  reads: orgAnswerReads,
  responses: { 204: null },
  handle: async (request, services) => {
    const { id: orgId } = await orgOfPath(request, services);
    const { position } = await services.commands.run(removePlaybook, { orgId }, request.command);
    await services.viewAfter(orgAnswerReads, position);
    return { status: 204, position };
  },
});

export const playbookRoutes: readonly Route[] = [showPlaybook, writePlaybookRoute, removePlaybookRoute];
