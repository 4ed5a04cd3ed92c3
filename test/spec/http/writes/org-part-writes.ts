import type { Maker, WriteCases, WriteRequest } from './write-case.ts';

const onHideable = { needs: 'write', subject: 'hideable' } as const;
/** Hidden things are nothing special to those who may do this. */
const forAdmins = { needs: 'admin', subject: 'deletable' } as const;

const location = { url: 'https://example.com/news' };
const overview = { content: 'What happened', releaseCount: 1 };
const account = { platform: 'github', handle: 'somebody' };

type Subject = (make: Maker) => Promise<string>;

const anyOrg: Subject = async ({ org }) => `/orgs/${(await org()).slug}`;
const anyProduct: Subject = async ({ product }) => `/products/${(await product()).id}`;
const stub: Subject = async ({ stub }) => `/orgs/${(await stub()).slug}`;
const withLocation: Subject = async ({ org, patch }) => {
  const subject = `/orgs/${(await org()).slug}`;
  await patch(`/v1${subject}`, { locations: [location] });
  return subject;
};
const withTag =
  (any: Subject): Subject =>
  async (make) => {
    const subject = await any(make);
    await make.post(`/v1${subject}/tags`, { tags: ['old'] });
    return subject;
  };

const below =
  (any: Subject, rest: string, body?: object) =>
  async (make: Maker): Promise<WriteRequest> => {
    const subject = await any(make);
    return { path: `${subject}${rest}`, subject, ...(body && { body }) };
  };
const tags = { tags: ['new'] };

/** What belongs to an org or a product, and whether an org is tracked. */
export const orgPartWrites: WriteCases = {
  'POST /orgs/stub': {
    idempotent: true,
    needs: 'admin',
    request: async ({ name }) => {
      const own = name();
      return { path: '/orgs/stub', body: { name: own, domain: `${own.toLowerCase()}.example`, locations: [location] } };
    },
  },
  'POST /orgs/:slug/promote': { idempotent: true, ...forAdmins, request: below(stub, '/promote') },
  'POST /orgs/:slug/demote': { ...forAdmins, request: below(withLocation, '/demote') },
  'POST /orgs/:slug/request-tracking': {
    idempotent: true,
    needs: 'credential',
    subject: 'hideable',
    request: below(stub, '/request-tracking'),
  },
  'POST /orgs/:slug/accounts': {
    idempotent: true,
    ...onHideable,
    request: async (make) => below(anyOrg, '/accounts', { ...account, handle: make.name() })(make),
  },
  'DELETE /orgs/:slug/accounts/:platform/:handle': {
    ...onHideable,
    request: async (make) => {
      const [subject, handle] = [await anyOrg(make), make.name()];
      await make.post(`/v1${subject}/accounts`, { ...account, handle });
      return { path: `${subject}/accounts/${account.platform}/${handle}`, subject };
    },
  },
  'PUT /orgs/:slug/tags': { ...onHideable, request: below(anyOrg, '/tags', tags) },
  'POST /orgs/:slug/tags': { idempotent: true, ...onHideable, request: below(anyOrg, '/tags', tags) },
  'DELETE /orgs/:slug/tags/:tag': { ...onHideable, request: below(withTag(anyOrg), '/tags/old') },
  'PUT /products/:identifier/tags': { ...onHideable, request: below(anyProduct, '/tags', tags) },
  'POST /products/:identifier/tags': { idempotent: true, ...onHideable, request: below(anyProduct, '/tags', tags) },
  'DELETE /products/:identifier/tags/:tag': { ...onHideable, request: below(withTag(anyProduct), '/tags/old') },
  'PUT /orgs/:slug/overview': { ...onHideable, request: below(anyOrg, '/overview', overview) },
  'PUT /products/:identifier/overview': { ...onHideable, request: below(anyProduct, '/overview', overview) },
  'PUT /orgs/:slug/playbook': { ...forAdmins, request: below(anyOrg, '/playbook', { content: 'How to' }) },
  'DELETE /orgs/:slug/playbook': {
    ...forAdmins,
    request: async (make) => {
      const subject = await anyOrg(make);
      await make.put(`/v1${subject}/playbook`, { content: 'How to' });
      return { path: `${subject}/playbook`, subject };
    },
  },
};
