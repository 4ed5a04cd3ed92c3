import type { DomainEvent } from '../../kernel/event.ts';
import type { NoticePlacement } from '../enumerations.ts';

export interface SiteNotice {
  /** Shown to everybody; else it is a draft. */
  readonly active: boolean;
  readonly message: string;
  readonly linkText?: string;
  readonly href?: string;
  readonly placement: NoticePlacement;
  readonly color: string;
  readonly dismissible: boolean;
}

export type SiteNoticeReplaced = DomainEvent<'SiteNoticeReplaced.v1', { notice: SiteNotice; replacedAt: string }>;
