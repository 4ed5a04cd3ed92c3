import type { Maker, WriteCases, WriteRequest } from './write-case.ts';

const onHideable = { needs: 'write', subject: 'hideable' } as const;

const below =
  (rest: string, body?: object) =>
  async ({ release }: Maker): Promise<WriteRequest> => {
    const { id, sourceId } = await release();
    return { path: `/releases/${id}${rest}`, subject: `/sources/${sourceId}`, ...(body && { body }) };
  };

export const releaseWrites: WriteCases = {
  'PATCH /releases/:id': {
    ...onHideable,
    request: async ({ release, name }) => {
      const { id, sourceId } = await release();
      return { path: `/releases/${id}`, body: { title: name() }, subject: `/sources/${sourceId}` };
    },
  },
  'DELETE /releases/:id': {
    needs: 'admin',
    request: async ({ release }) => ({ path: `/releases/${(await release()).id}` }),
  },
  'POST /releases/:id/suppress': { ...onHideable, request: below('/suppress', { reason: 'A mistake' }) },
  'POST /releases/:id/unsuppress': { ...onHideable, request: below('/unsuppress', { reason: 'None' }) },
  'POST /releases/batch-suppress': {
    needs: 'write',
    request: async ({ release }) => ({ path: '/releases/batch-suppress', body: { ids: [(await release()).id] } }),
  },
  'POST /releases/:id/coverage': {
    idempotent: true,
    ...onHideable,
    request: async (make) => {
      const { id: covering } = await make.release();
      return { ...(await below('/coverage')(make)), body: { coverageIds: [covering] } };
    },
  },
  'DELETE /releases/:id/coverage': { ...onHideable, request: below('/coverage') },
};
