import { z } from 'zod';
import { changeToken } from '../../../commands/token/change-token.ts';
import { revokeToken } from '../../../commands/token/revoke-token.ts';
import { tokenDetail, tokenReads, tokensList } from '../../../queries/tokens-list.ts';
import { tokenChangeFields, tokenIssueFields } from '../../domain/token/fields.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { scopesOf } from '../caller.ts';
import { createToken } from '../../use-cases/create-token.ts';
import { createTokenText } from '../../use-cases/new-token.ts';
import { issuedToken, tokenList, tokenRecord, whoAmI } from '../answers/token.ts';
import { defineRoute, type Route } from '../route.ts';

const none = z.object({});
const byId = z.object({ id: z.string() });

const tokenIdOfPath = (id: string): string => {
  if (!isId('tok', id)) throw notFound('token', id);
  return id;
};

const issue = defineRoute({
  method: 'POST',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'Issue a machine token; its text is in this answer only',
  extension: true,
  access: 'admin',
  params: none,
  query: none,
  body: tokenIssueFields,
  idempotent: true,
  reads: tokenReads,
  responses: { 201: issuedToken },
  handle: async ({ body, command, isRepeatable, nowMs }, { commands, newSecrets, random, viewAfter }) => {
    const create = () => createTokenText(random);
    const tokenText = async () => (isRepeatable ? newSecrets.make(command.commandId, create) : create());
    const { id, token, position } = await createToken({ commands, tokenText }, body, command);
    const view = await viewAfter(tokenReads, position);
    return { status: 201, body: { token, ...(await tokenDetail(view, { id }, { nowMs })) }, position };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'All machine tokens, the newest first',
  extension: true,
  access: 'admin',
  params: none,
  query: none,
  reads: tokenReads,
  responses: { 200: tokenList },
  handle: async ({ nowMs }, { view }) => ({ status: 200, body: await tokensList(await view(), { nowMs }) }),
});

const me = defineRoute({
  method: 'GET',
  path: '/tokens/me',
  tag: 'Tokens',
  summary: 'Whose credential this is and what it may do',
  extension: true,
  access: 'credential',
  params: none,
  query: none,
  responses: { 200: whoAmI },
  handle: async ({ caller }) => {
    const scopes = scopesOf(caller);
    return caller.kind === 'token'
      ? {
          status: 200,
          body: {
            kind: 'token',
            name: caller.name,
            scopes,
            tokenId: caller.tokenId,
            userId: null,
            expiresAt: caller.expiresAt,
          },
        }
      : { status: 200, body: { kind: 'root', name: 'root', scopes, tokenId: null, userId: null, expiresAt: null } };
  },
});

const detail = defineRoute({
  method: 'GET',
  path: '/tokens/:id',
  tag: 'Tokens',
  summary: 'One machine token',
  extension: true,
  access: 'admin',
  params: byId,
  query: none,
  reads: tokenReads,
  responses: { 200: tokenRecord },
  handle: async ({ params, nowMs }, { view }) => ({
    status: 200,
    body: await tokenDetail(await view(), { id: tokenIdOfPath(params.id) }, { nowMs }),
  }),
});

const change = defineRoute({
  method: 'PATCH',
  path: '/tokens/:id',
  tag: 'Tokens',
  summary: 'Change name, scopes or expiry of a machine token',
  extension: true,
  access: 'admin',
  params: byId,
  query: none,
  body: tokenChangeFields,
  reads: tokenReads,
  responses: { 200: tokenRecord },
  handle: async ({ params, body, command, nowMs }, { commands, viewAfter }) => {
    const tokenId = tokenIdOfPath(params.id);
    const { position } = await commands.run(changeToken, { tokenId, changes: body }, command);
    const view = await viewAfter(tokenReads, position);
    return { status: 200, body: await tokenDetail(view, { id: tokenId }, { nowMs }), position };
  },
});

const revoke = defineRoute({
  method: 'POST',
  path: '/tokens/:id/revoke',
  tag: 'Tokens',
  summary: 'Revoke a machine token; it fails from the next request on',
  extension: true,
  access: 'admin',
  params: byId,
  query: none,
  reads: tokenReads,
  responses: { 200: tokenRecord },
  handle: async ({ params, command, nowMs }, { commands, viewAfter }) => {
    const tokenId = tokenIdOfPath(params.id);
    const { position } = await commands.run(revokeToken, { tokenId }, command);
    const view = await viewAfter(tokenReads, position);
    return { status: 200, body: await tokenDetail(view, { id: tokenId }, { nowMs }), position };
  },
});

/** `/tokens/me` stands before `/tokens/:id`, which would match it too. */
export const tokenRoutes: readonly Route[] = [issue, list, me, detail, change, revoke];
