import { expect, it } from 'vitest';
import { readPackageManifest, repositoryWebUrl } from '../../../src/ingest/importing/package-manifest.ts';

it.each([
  ['git+https://github.com/acme/kit.git', 'https://github.com/acme/kit'],
  ['git://github.com/acme/kit.git', 'https://github.com/acme/kit'],
  ['http://github.com/acme/kit', 'https://github.com/acme/kit'],
  ['git+ssh://git@github.com/acme/kit.git', 'https://github.com/acme/kit'],
  ['git@github.com:acme/kit.git', 'https://github.com/acme/kit'],
  ['https://github.com/acme/kit/', 'https://github.com/acme/kit'],
  ['https://github.com/acme/kit.git#main', 'https://github.com/acme/kit'],
  ['acme/kit', 'https://github.com/acme/kit'],
  ['github:acme/kit', 'https://github.com/acme/kit'],
  ['gitlab:acme/kit', 'https://gitlab.com/acme/kit'],
  ['https://git.example.com/acme/kit', 'https://git.example.com/acme/kit'],
  ['gist:11081aaa281', null],
  ['somewhere', null],
  ['ftp://example.com/kit', null],
])('the repository %s is at %s', (text, url) => {
  expect(repositoryWebUrl(text)).toBe(url);
});

it('takes what is usable and leaves the rest', () => {
  expect(
    readPackageManifest({ name: '@acme/kit', repository: { url: 'acme/kit' }, homepage: 'https://a.dev' }),
  ).toEqual({
    name: '@acme/kit',
    repositoryUrl: 'https://github.com/acme/kit',
    homepage: 'https://a.dev',
  });
  const nothing = { name: null, repositoryUrl: null, homepage: null };
  for (const json of [null, 7, [], {}, { name: 'a b', repository: 7, homepage: 'a.dev' }, { repository: null }]) {
    expect(readPackageManifest(json)).toEqual(nothing);
  }
});
