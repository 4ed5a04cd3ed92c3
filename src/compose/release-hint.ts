import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { parseStream, streamOf } from '../kernel/stream-name.ts';
import type { Log } from '../ports/log.ts';
import type { AbsenceHint } from '../runtime/commands/absence-hint.ts';
import type { LiveReadModels } from '../runtime/projector/live-read-models.ts';

/** Which releases exist, as far as the feed knows by now; while it is being filled, any may. */
export const createReleaseHint = (live: LiveReadModels, log: Log): AbsenceHint => ({
  log,
  knownStreams: async (streams) => {
    const feed = (await live.current())?.of(releaseFeedProjection);
    if (feed === undefined) return new Set(streams);
    const rows = await feed.get(streams.map((stream) => parseStream(stream).id));
    return new Set(rows.map(({ id }) => streamOf('release', id)));
  },
});
