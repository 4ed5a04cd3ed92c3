import { describe, expect, it } from 'vitest';
import type { SourceDocument } from '../../../../projections/source/source.ts';
import { appStoreOf, videoOf } from '../../../../queries/shape/source/source-media.ts';

const source = (type: SourceDocument['type'], metadata: Record<string, unknown>, url = 'https://example.com/channel') =>
  ({ type, metadata, url }) as unknown as SourceDocument;

describe('the media of a source', () => {
  it('is the store listing of an app, as far as its metadata tell', () => {
    const iconUrl = 'https://icons.example/1.png';
    expect(appStoreOf(source('appstore', { appStore: { platform: 'macos', iconUrl } }))).toEqual({
      platform: 'macos',
      iconUrl,
    });
    expect(appStoreOf(source('appstore', { appStore: { platform: 'ios', iconUrl: 7 } }))?.iconUrl).toBeNull();
    expect(appStoreOf(source('feed', { appStore: { platform: 'ios' } }))).toBeNull();
  });

  it('is the host of a video channel', () => {
    expect(videoOf(source('video', { video: { provider: 'vimeo' } }))).toEqual({ provider: 'vimeo' });
    expect(videoOf(source('feed', { video: { provider: 'vimeo' } }))).toBeNull();
    expect(videoOf(source('video', {}, 'https://www.youtube.com/@demo'))).toEqual({ provider: 'youtube' });
  });

  it('is nothing that the interface does not name: metadata are free', () => {
    for (const value of ['windows', 7, null, undefined, {}]) {
      expect(appStoreOf(source('appstore', { appStore: { platform: value } }))).toBeNull();
      expect(videoOf(source('video', { video: { provider: value } }))).toBeNull();
    }
    expect(appStoreOf(source('appstore', { appStore: 'ios' }))).toBeNull();
    expect(videoOf(source('video', {}))).toBeNull();
  });
});
