import { z } from 'zod';
import { createWebhook } from '../../../commands/webhook/create-webhook.ts';
import { webhookReads } from '../../../queries/shape/webhook-record.ts';
import { webhookDetail } from '../../../queries/webhook-detail.ts';
import { webhooksList } from '../../../queries/webhooks-list.ts';
import { spellSigningKey } from '../../delivery/signing-key.ts';
import type { TargetRefusal } from '../../delivery/target-guard.ts';
import { webhookCreateFields, webhookUrlCharsMax } from '../../domain/webhook/fields.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newEntityId } from '../../kernel/ids.ts';
import { deleteWebhook } from '../../use-cases/delete-webhook.ts';
import {
  namesOneOrg,
  namesOneProduct,
  namesOneSource,
  orgReference,
  productReference,
  sourceReference,
  twoOrgs,
  twoProducts,
  twoSources,
} from '../request/body-references.ts';
import { createdWebhook, webhookList, webhookRecord } from '../answers/webhook.ts';
import { eitherParam, identifierParam } from '../request/query-params.ts';
import { defineRoute, type Route } from '../route.ts';
import { namedSubject, namesAnOrg, noOrg } from '../webhook-subject.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookById, webhookIdOfPath } from './webhook-address.ts';

const none = z.object({});

const createBody = webhookCreateFields
  .extend({
    // Any text: what is wrong with an address, also its length, is told by the reason of its refusal.
    url: z.string().meta({ maxLength: webhookUrlCharsMax }),
    ...orgReference,
    ...sourceReference,
    ...productReference,
  })
  .refine(namesOneOrg, twoOrgs)
  .refine(namesAnOrg, noOrg)
  .refine(namesOneSource, twoSources)
  .refine(namesOneProduct, twoProducts);

const refuseUrl = (reason: TargetRefusal): never => {
  throw new DomainError('webhook_url_rejected', { reason });
};

const create = defineRoute({
  method: 'POST',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'Subscribe a receiver to the releases of an org; the signing key is in this answer only',
  access: 'admin',
  params: none,
  query: none,
  body: createBody,
  idempotent: true,
  reads: webhookReads,
  responses: { 201: createdWebhook },
  handle: async ({ body, admin, command }, { commands, signingKeys, targets, view, viewAfter }) => {
    const malformed = targets.checkForm(body.url);
    if (malformed !== null) return refuseUrl(malformed);
    const subject = namedSubject((await view()).catalogue, body, admin);
    const vetted = await targets.vet(body.url);
    if (vetted.kind === 'refused') return refuseUrl(vetted.reason);

    // The key comes first, so that no webhook is ever without one; of a command that fails it is just left over.
    const id = newEntityId('whk', command.commandId);
    const key = await signingKeys.make(id);
    const { orgSlug: _org, sourceSlug: _source, productSlug: _product, ...fields } = body;
    const { position } = await commands.run(createWebhook, { ...fields, ...subject }, command);
    const record = await webhookDetail(await viewAfter(webhookReads, position), { id });
    return { status: 201, position, body: { ...record, ...spellSigningKey(key) } };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'The subscriptions that admins made, the newest first',
  access: 'admin',
  params: none,
  query: z.object({ org: identifierParam, enabled: eitherParam }),
  reads: webhookReads,
  responses: { 200: webhookList },
  handle: async ({ query }, { view }) => ({ status: 200, body: await webhooksList(await view(), query) }),
});

const detail = defineRoute({
  method: 'GET',
  path: '/webhooks/:id',
  tag: 'Webhooks',
  summary: 'One subscription and how its deliveries fare',
  access: 'admin',
  params: webhookById,
  query: none,
  reads: webhookReads,
  responses: { 200: webhookRecord },
  handle: async ({ params }, { view }) => ({
    status: 200,
    body: await webhookDetail(await view(), { id: webhookIdOfPath(params.id) }),
  }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/webhooks/:id',
  tag: 'Webhooks',
  summary: 'End a subscription; its signing key and its log are destroyed',
  access: 'admin',
  params: webhookById,
  query: none,
  reads: webhookReads,
  responses: { 204: null },
  handle: async ({ params, command }, services) => {
    const { position } = await deleteWebhook(services, webhookIdOfPath(params.id), command);
    await services.viewAfter(webhookReads, position);
    return { status: 204, position };
  },
});

export const webhookRoutes: readonly Route[] = [create, list, detail, remove, webhookDeliveries];
