import { z } from 'zod';
import { replaceSiteNotice } from '../../../commands/site-notice/replace-site-notice.ts';
import { siteNotice, siteNoticeReads } from '../../../queries/site-notice.ts';
import { siteNoticeFields } from '../../domain/site-notice/fields.ts';
import { shownSiteNotice } from '../answers/site-notice.ts';
import { defineRoute, type Route } from '../route.ts';

const none = z.object({});

const showSiteNotice = defineRoute({
  method: 'GET',
  path: '/site-notice',
  tag: 'Site notice',
  summary: 'The notice of the whole site; a draft only to admins',
  access: 'public',
  params: none,
  query: none,
  cache: 'entity',
  reads: siteNoticeReads,
  responses: { 200: shownSiteNotice },
  handle: async ({ admin }, { view }) => ({ status: 200, body: await siteNotice(await view(), { admin }) }),
});

const replaceSiteNoticeRoute = defineRoute({
  method: 'PUT',
  path: '/site-notice',
  tag: 'Site notice',
  summary: 'Replace the notice of the whole site',
  access: 'admin',
  params: none,
  query: none,
  // So that what was read can be changed and sent back.
  body: siteNoticeFields.safeExtend({ updatedAt: z.unknown().optional() }),
  reads: siteNoticeReads,
  responses: { 200: shownSiteNotice },
  handle: async ({ body: { updatedAt: _, ...notice }, admin, command }, { commands, viewAfter }) => {
    const { position } = await commands.run(replaceSiteNotice, notice, command);
    return { status: 200, position, body: await siteNotice(await viewAfter(siteNoticeReads, position), { admin }) };
  },
});

export const siteNoticeRoutes: readonly Route[] = [showSiteNotice, replaceSiteNoticeRoute];
