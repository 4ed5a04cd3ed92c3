import type { WriteCases } from './write-case.ts';

const onHideable = { needs: 'write', subject: 'hideable' } as const;

export const orgWrites: WriteCases = {
  'POST /orgs': {
    idempotent: true,
    needs: 'write',
    adminFields: { featured: true },
    request: async ({ name }) => ({ path: '/orgs', body: { name: name() } }),
  },
  'PATCH /orgs/:slug': {
    ...onHideable,
    adminFields: { isHidden: true, featured: true },
    request: async ({ org, name }) => {
      const path = `/orgs/${(await org()).slug}`;
      return { path, body: { name: name() }, subject: path };
    },
  },
  'DELETE /orgs/:slug': {
    ...onHideable,
    adminQuery: ['hard'],
    request: async ({ org }) => {
      const path = `/orgs/${(await org()).slug}`;
      return { path, subject: path };
    },
  },
  'POST /orgs/:slug/restore': {
    needs: 'admin',
    request: async ({ org, remove }) => {
      const { id } = await org();
      await remove(`/v1/orgs/${id}`);
      return { path: `/orgs/${id}/restore` };
    },
  },
};
