import { withEmbedders } from '../compose/with-embedders.ts';
import type { EmbeddingSettings } from '../config/embedding-settings.ts';
import type { Clock } from '../ports/clock.ts';
import { EmbedderUnavailable } from '../ports/embedder.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import type { Log } from '../ports/log.ts';

const about = 'embedder';
const advice = 'Mend what keeps it from working, or set EMBEDDER to another one.';
/** The findings say it all. */
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Embeds one text as a search would. */
export async function examineEmbedder(settings: EmbeddingSettings, clock: Clock): Promise<Finding[]> {
  try {
    return await withEmbedders({ clock, log: silent }, settings, async (embedders) => {
      if (embedders === null) return [well(about, 'it is off: searches find by words alone')];
      const { best, replacedBecause } = embedders;
      await best.embed(['release notes'], { isQuery: true });
      const reason = replacedBecause();
      if (reason === null) return [well(about, `${best.model} embeds texts`)];
      return [warning(about, `${settings.embedder} cannot be used, and the static model stands in: ${reason}`, advice)];
    });
  } catch (error) {
    if (error instanceof EmbedderUnavailable) {
      return [warning(about, `searches find by words alone: ${error.message}`, advice)];
    }
    // A file that is broken, or settings that do not fit: the other findings are told all the same.
    return [failure(about, (error as Error).message, advice)];
  }
}
