import { describe, it } from 'vitest';
import { unsuppressRelease } from '../../../commands/release/unsuppress-release.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import { indexedRelease, releaseId } from '../../spec/events/indexed-release.ts';
import { suppressed, unsuppressed } from '../../spec/events/release-events.ts';
import { releaseErased, sourceId } from '../../spec/worlds/release-world.ts';

describe('UnsuppressRelease', () => {
  const down = [indexedRelease(), suppressed(sourceId, null)];

  it('brings a release back without announcing it', () => {
    const data = { sourceId, publishedAt: null, reason: 'A mistake', unsuppressedAt: testNow };
    given(unsuppressRelease, down)
      .when({ releaseId, reason: 'A mistake' })
      .then([{ type: 'ReleaseUnsuppressed.v1', data }]);
  });

  it('has nothing to do for one that is there', () => {
    for (const past of [[indexedRelease()], [...down, unsuppressed(sourceId, null)]]) {
      given(unsuppressRelease, past).when({ releaseId }).thenNothing();
    }
  });

  it('finds none that is unknown or erased', () => {
    for (const past of [[], [...down, releaseErased]]) {
      given(unsuppressRelease, past).when({ releaseId }).thenFails('not_found', { entity: 'release' });
    }
  });
});
