import { hookUrl } from '../../worlds/webhook-world.ts';
import type { WriteCases } from './write-case.ts';

export const operatorWrites: WriteCases = {
  'POST /tokens': {
    idempotent: true,
    needs: 'admin',
    request: async ({ name }) => ({ path: '/tokens', body: { name: name(), scopes: ['read'] } }),
  },
  'PATCH /tokens/:id': {
    needs: 'admin',
    request: async ({ token, name }) => ({ path: `/tokens/${(await token()).id}`, body: { name: name() } }),
  },
  'POST /tokens/:id/revoke': {
    needs: 'admin',
    request: async ({ token }) => ({ path: `/tokens/${(await token()).id}/revoke` }),
  },
  'POST /webhooks': {
    idempotent: true,
    needs: 'admin',
    request: async ({ org }) => ({ path: '/webhooks', body: { url: hookUrl, orgId: (await org()).id } }),
  },
  'DELETE /webhooks/:id': {
    needs: 'admin',
    subject: 'deletable',
    request: async ({ webhook }) => {
      const path = `/webhooks/${(await webhook()).id}`;
      return { path, subject: path };
    },
  },
};
