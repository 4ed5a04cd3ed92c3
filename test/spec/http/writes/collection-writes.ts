import type { WriteCases } from './write-case.ts';

export const collectionWrites: WriteCases = {
  'POST /collections': {
    idempotent: true,
    needs: 'write',
    request: async ({ name }) => ({ path: '/collections', body: { name: name(), isFeatured: true } }),
  },
  'PATCH /collections/:slug': {
    needs: 'write',
    subject: 'deletable',
    request: async ({ collection, name }) => {
      const path = `/collections/${(await collection()).slug}`;
      return { path, body: { name: name(), isFeatured: true }, subject: path };
    },
  },
  'DELETE /collections/:slug': {
    needs: 'write',
    subject: 'deletable',
    request: async ({ collection }) => {
      const path = `/collections/${(await collection()).slug}`;
      return { path, subject: path };
    },
  },
  'PUT /collections/:slug/members': {
    needs: 'write',
    subject: 'deletable',
    request: async ({ collection, org }) => {
      const subject = `/collections/${(await collection()).slug}`;
      return { path: `${subject}/members`, body: { members: [{ orgId: (await org()).id }] }, subject };
    },
  },
  'POST /collections/:slug/members': {
    idempotent: true,
    needs: 'write',
    subject: 'deletable',
    request: async ({ collection, org }) => {
      const subject = `/collections/${(await collection()).slug}`;
      return { path: `${subject}/members`, body: { orgId: (await org()).id }, subject };
    },
  },
  'DELETE /collections/:slug/members/:id': {
    needs: 'write',
    subject: 'hideable',
    request: async ({ collection, org, post }) => {
      const members = `/collections/${(await collection()).slug}/members`;
      const { id } = await org();
      await post(`/v1${members}`, { orgId: id });
      return { path: `${members}/${id}`, subject: `/orgs/${id}` };
    },
  },
  'POST /tags': {
    idempotent: true,
    needs: 'write',
    request: async ({ name }) => ({ path: '/tags', body: { name: name() } }),
  },
  'PUT /site-notice': {
    needs: 'admin',
    request: async ({ name }) => ({
      path: '/site-notice',
      body: { active: true, message: name(), placement: 'home', color: '#000000', dismissible: true },
    }),
  },
};
