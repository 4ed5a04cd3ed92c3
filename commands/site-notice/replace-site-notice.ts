import { isDeepStrictEqual } from 'node:util';
import type { SiteNoticeReplaced } from '../../src/domain/site-notice/events.ts';
import { siteNoticeFields } from '../../src/domain/site-notice/fields.ts';
import { siteNotice } from '../../src/domain/site-notice/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const replaceSiteNotice = defineCommand({
  name: 'ReplaceSiteNotice',
  input: siteNoticeFields,
  stream: () => streamOf('notice', 'site'),
  model: siteNotice,
  decide: (notice, state, { now }): SiteNoticeReplaced[] =>
    isDeepStrictEqual(notice, state.notice)
      ? []
      : [{ type: 'SiteNoticeReplaced.v1', data: { notice, replacedAt: now } }],
});
