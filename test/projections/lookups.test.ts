import { expect, it } from 'vitest';
import { lookupsProjection } from '../../projections/lookups/lookups.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { acme, blog, orgCreated, productCreated, sourceCreated, widget } from '../spec/events/entity-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { createRecorder } from '../spec/events/record-events.ts';

const after = (stream: string, ...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(stream, events);
  const rows = [...foldProjection(lookupsProjection, recorder.all()).values()];
  return rows.map(({ kind, key, entityId, current }) => [kind, key, entityId, current]);
};
const orgChanged = (changed: object) => ({ type: 'OrgChanged.v1', data: { changed } });
const sourceChanged = (changed: object) => ({ type: 'SourceChanged.v1', data: { changed } });

it('an org is found by slug, domain and alias', () => {
  expect(after(`org-${acme}`, orgCreated({ domain: 'acme.example', aliases: ['acme.test'] }))).toEqual([
    ['org-slug', 'acme', acme, 1],
    ['org-domain', 'acme.example', acme, 1],
    ['org-domain', 'acme.test', acme, 1],
  ]);
});

it('an old slug stays, also when it becomes the current one again', () => {
  const renamed = [orgCreated(), orgChanged({ slug: 'zeta' })];
  expect(after(`org-${acme}`, ...renamed)).toEqual([
    ['org-slug', 'acme', acme, 0],
    ['org-slug', 'zeta', acme, 1],
  ]);
  expect(after(`org-${acme}`, ...renamed, orgChanged({ slug: 'acme' }))).toEqual([
    ['org-slug', 'acme', acme, 1],
    ['org-slug', 'zeta', acme, 0],
  ]);
});

it('a domain that is given up finds nothing, and the aliases stay when only the domain changes', () => {
  const created = orgCreated({ domain: 'acme.example', aliases: ['acme.test'] });
  expect(after(`org-${acme}`, created, orgChanged({ domain: null }))).toEqual([
    ['org-slug', 'acme', acme, 1],
    ['org-domain', 'acme.test', acme, 1],
  ]);
  expect(after(`org-${acme}`, created, orgChanged({ aliases: ['other.test'] }))).toEqual([
    ['org-slug', 'acme', acme, 1],
    ['org-domain', 'acme.example', acme, 1],
    ['org-domain', 'other.test', acme, 1],
  ]);
});

it('a product is found by its slug', () => {
  expect(after(`product-${widget}`, productCreated())).toEqual([['product-slug', 'widget', widget, 1]]);
});

it('a source is found by slug, package and repository', () => {
  const created = sourceCreated({
    url: 'https://github.com/Acme/Rocket.git',
    packages: [{ ecosystem: 'npm', name: '@acme/rocket' }],
    metadata: { githubUrl: 'https://github.com/acme/mono/tree/main' },
  });
  const found = [
    ['source-slug', 'blog', blog, 1],
    ['package', 'npm:@acme/rocket', blog, 1],
    ['coordinate', 'acme/rocket', blog, 1],
    ['coordinate', 'acme/mono', blog, 1],
  ];
  expect(after(`source-${blog}`, created)).toEqual(found);
  // The same repository from both fields is found as long as one of them says so.
  const both = sourceChanged({ metadata: { githubUrl: 'https://github.com/acme/rocket' } });
  const moved = sourceChanged({ url: 'https://acme.example', packages: [] });
  expect(after(`source-${blog}`, created, both, moved)).toEqual([
    ['source-slug', 'blog', blog, 1],
    ['coordinate', 'acme/rocket', blog, 1],
  ]);
});
