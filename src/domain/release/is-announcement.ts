import type { RecordedEvent } from '../../kernel/event.ts';
import type { ReleaseAnnounced } from './events.ts';

export const announcedType: ReleaseAnnounced['type'] = 'ReleaseAnnounced.v1';

export const isAnnouncement = (event: RecordedEvent): event is RecordedEvent<ReleaseAnnounced> =>
  event.type === announcedType;
