import { describe, expect, it } from 'vitest';
import { createEmbedAccepted } from '../../../src/adapters/embedders/accepted-texts.ts';
import { EndpointFailed } from '../../../src/openai/endpoint-failed.ts';

const texts = (count: number) => Array.from({ length: count }, (_, number) => `text ${number}`);
const manner = { waitsMs: [1_000], timeoutMs: 30_000 };

describe('an endpoint that takes long for each text', () => {
  /** How many it was asked for each time, and whether the same was to be asked again after a time-out. */
  const asked: { readonly count: number; readonly retries: boolean }[] = [];
  const slow = (countMax: number) => {
    asked.length = 0;
    return createEmbedAccepted(async (some, { retriesTimeouts = true }) => {
      asked.push({ count: some.length, retries: retriesTimeouts });
      if (some.length > countMax) throw new EndpointFailed('timeout');
      return some.map((text) => [text.length]);
    });
  };
  const counts = () => asked.splice(0).map(({ count }) => count);

  it('is asked for fewer at once, at once the next time, and for more again little by little', async () => {
    const embed = slow(30);
    expect(await embed(texts(96), manner)).toEqual(texts(96).map((text) => [text.length]));
    expect(counts()).toEqual([96, 48, 24, 24, 24, 24]);
    for (let batch = 0; batch < 5; batch += 1) {
      await embed(texts(96), manner);
      expect(counts()).toEqual([24, 24, 24, 24]);
    }
    await embed(texts(96), manner); // 48 are tried again
    expect(counts()).toEqual([48, 24, 24, 24, 24]);
  });

  it('is asked the same again for one text only', async () => {
    const embed = slow(1);
    await embed(texts(2), manner);
    expect(asked).toEqual([
      { count: 2, retries: false },
      { count: 1, retries: true },
      { count: 1, retries: true },
    ]);
  });

  it('and does not answer for a single one is unavailable', async () => {
    await expect(slow(0)(texts(4), manner)).rejects.toMatchObject({ reason: 'timeout' });
    expect(counts()).toEqual([4, 2, 1]);
  });
});
