import { instantsProjection } from '../../projections/instants/instants.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';

// Loaded before the program, in each of its threads, this makes it a later version of itself: the folds of two read
// models count as others.
for (const projection of [releaseFeedProjection, instantsProjection]) {
  Object.assign(projection, { generation: projection.generation + 1 });
}
