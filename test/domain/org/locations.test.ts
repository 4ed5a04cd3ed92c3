import { describe, expect, test } from 'vitest';
import { locationList } from '../../../src/domain/org/locations.ts';
import { idOf } from '../../spec/events/entity-events.ts';
import { address, text } from '../accepts.ts';

const url = 'https://acme.example';

describe('locations', () => {
  test.each([
    [{ url }],
    [{ feed: 'http://acme.example/feed' }],
    [{ github: 'a.b_c-d/E' }],
    [{ appstore: 'https://apps.apple.com/app/id1' }],
    [{ file: address(2048) }],
    [
      {
        url,
        title: text(200),
        canonical: true,
        basis: 'detected',
        productId: idOf('prod', 'A'),
        sourceId: idOf('src', 'A'),
      },
    ],
    [{ url, title: null, productId: null, sourceId: null }],
  ])('%o is one', (location) => {
    expect(locationList.safeParse([location]).success).toBe(true);
  });

  test.each([
    [{}],
    [{ title: 'nowhere' }],
    [{ url, feed: url }],
    [{ url: 'ftp://acme.example' }],
    [{ github: 'acme' }],
    [{ github: 'acme/a/b' }],
    [{ file: address(2049) }],
    [{ url, title: '' }],
    [{ url, title: text(201) }],
    [{ url, basis: 'guess' }],
    [{ url, productId: idOf('src', 'A') }],
    [{ url, sourceId: 'src_1' }],
    [{ url, id: idOf('loc', 'A') }],
  ])('%o is none', (location) => {
    expect(locationList.safeParse([location]).success).toBe(false);
  });

  test('none is named twice', () => {
    expect(locationList.safeParse([{ url }, { url, title: 'again' }]).success).toBe(false);
    expect(locationList.safeParse([{ url }, { feed: url }]).success).toBe(true);
  });
});
