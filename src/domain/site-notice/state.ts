import type { Model } from '../../kernel/model.ts';
import type { SiteNotice, SiteNoticeReplaced } from './events.ts';

export interface SiteNoticeState {
  readonly notice: SiteNotice | null;
}

export const siteNotice: Model<SiteNoticeState, SiteNoticeReplaced> = {
  foldVersion: 1,
  initial: { notice: null },
  evolve: (state, event) => (event.type === 'SiteNoticeReplaced.v1' ? { notice: event.data.notice } : state),
};
