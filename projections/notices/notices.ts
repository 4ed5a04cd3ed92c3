import type { SiteNotice, SiteNoticeReplaced } from '../../src/domain/site-notice/events.ts';
import { defineProjection, makesOne } from '../../src/kernel/projection.ts';

/** The notice of the whole site, active or not, under the id `site`. */
export interface NoticeDocument {
  readonly id: string;
  readonly notice: SiteNotice;
  readonly updatedAt: string;
}

export const noticesProjection = defineProjection<NoticeDocument, SiteNoticeReplaced>({
  name: 'notices',
  generation: 1,
  indexes: {},
  on: {
    'SiteNoticeReplaced.v1': makesOne(({ data, stream }) => ({
      id: stream.id,
      notice: data.notice,
      updatedAt: data.replacedAt,
    })),
  },
});
