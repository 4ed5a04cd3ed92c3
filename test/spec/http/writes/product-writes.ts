import type { Maker, WriteCases, WriteRequest } from './write-case.ts';

const onHideable = { needs: 'write', subject: 'hideable' } as const;

const byItself = async ({ product }: Maker): Promise<WriteRequest> => {
  const path = `/products/${(await product()).id}`;
  return { path, subject: path };
};
const belowOrg = async ({ product }: Maker): Promise<WriteRequest> => {
  const { orgSlug, slug } = await product();
  const path = `/orgs/${orgSlug}/products/${slug}`;
  return { path, subject: path };
};
const renamed = (address: typeof byItself) => async (make: Maker) => ({
  ...(await address(make)),
  body: { name: make.name() },
});

export const productWrites: WriteCases = {
  'POST /products': {
    idempotent: true,
    needs: 'write',
    request: async ({ org, name }) => ({ path: '/products', body: { name: name(), orgId: (await org()).id } }),
  },
  'PATCH /products/:identifier': { ...onHideable, adminFields: { isHidden: true }, request: renamed(byItself) },
  'PATCH /orgs/:orgSlug/products/:productSlug': {
    ...onHideable,
    adminFields: { isHidden: true },
    request: renamed(belowOrg),
  },
  'DELETE /products/:identifier': { ...onHideable, adminQuery: ['hard'], request: byItself },
  'DELETE /orgs/:orgSlug/products/:productSlug': { ...onHideable, adminQuery: ['hard'], request: belowOrg },
  'POST /products/:identifier/restore': {
    needs: 'admin',
    request: async ({ product, remove }) => {
      const { id } = await product();
      await remove(`/v1/products/${id}`);
      return { path: `/products/${id}/restore` };
    },
  },
};
