import { expect, test } from 'vitest';
import { detectSourceType } from '../../../src/domain/source/detect-type.ts';

const feed = { feedUrl: 'https://acme.example/feed' };

test.each([
  ['https://github.com/acme/kit', {}, 'github'],
  ['https://GitHub.com/acme/kit/releases', {}, 'github'],
  ['http://www.github.com/acme/kit', {}, 'github'],
  ['https://github.com/acme/kit', feed, 'github'],
  ['https://docs.github.com/changelog', {}, 'scrape'],
  ['https://github.com.evil.example/acme/kit', {}, 'scrape'],
  ['https://acme.example/changelog', feed, 'feed'],
  ['https://apps.apple.com/us/app/acme/id1', feed, 'feed'],
  ['https://apps.apple.com/us/app/acme/id1', {}, 'appstore'],
  ['https://itunes.apple.com/app/id1', {}, 'appstore'],
  ['https://play.google.com/store/apps/details?id=acme', {}, 'scrape'],
  ['https://www.youtube.com/@acme', {}, 'video'],
  ['https://youtu.be/x', {}, 'video'],
  ['https://vimeo.com/acme', {}, 'video'],
  ['https://acme.wistia.com/projects/1', {}, 'video'],
  ['https://notyoutube.com/@acme', {}, 'scrape'],
  ['https://acme.example/changelog', { feedUrl: null }, 'scrape'],
  ['https://acme.example/changelog', {}, 'scrape'],
] as const)('%s with %o is of type %s', (url, metadata, type) => {
  expect(detectSourceType(url, metadata)).toBe(type);
});
