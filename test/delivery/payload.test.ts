import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { payloadText } from '../../src/delivery/payload.ts';
import type { ReleaseAnnounced } from '../../src/domain/release/events.ts';

const fixture = new URL('../fixtures/events/ReleaseAnnounced.v1.json', import.meta.url);
const { data } = JSON.parse(readFileSync(fixture, 'utf8')) as ReleaseAnnounced;
const announced: ReleaseAnnounced['data'] = {
  ...data,
  release: {
    ...data.release,
    media: [{ type: 'image', url: 'https://acme.example/a.png', alt: 'A', linkUrl: 'https://acme.example/' }],
  },
};

/** The same value with the fields of every object in the opposite order. */
const turned = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(turned) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, turned(field)]),
  ) as Value;
};

describe('the payload of release.created', () => {
  it('has these bytes', () => {
    expect(payloadText(announced, 42)).toBe(
      [
        '{"id":"evt_EEEEEEEEEEEEEEEEEEEEE","type":"release.created","seq":42,"ts":1775001600000,"release":{',
        '"id":"rel_RRRRRRRRRRRRRRRRRRRRR","title":"Rockets stand up","summary":"They no longer fall over.",',
        '"sourceId":"src_SSSSSSSSSSSSSSSSSSSSS","sourceName":"Rocket releases","sourceSlug":"rocket-core",',
        '"sourceType":"github",',
        '"webUrl":"https://registry.example/release/rel_RRRRRRRRRRRRRRRRRRRRR-rockets-stand-up",',
        '"fetchedAt":"2026-02-20T08:00:00.000Z","version":"1.2.0","titleGenerated":null,"titleShort":null,',
        '"publishedAt":"2026-04-01T00:00:00.000Z","url":"https://acme.example/blog/1-2-0",',
        '"orgId":"org_AAAAAAAAAAAAAAAAAAAAA","productId":"prod_PPPPPPPPPPPPPPPPPPPPP",',
        '"type":"feature","breaking":"none","prerelease":true,"importance":2,"contentChars":300000,',
        '"contentTokens":70000,"org":{"id":"org_AAAAAAAAAAAAAAAAAAAAA","slug":"acme","name":"Acme",',
        '"avatarUrl":null,"githubHandle":null},',
        '"product":{"id":"prod_PPPPPPPPPPPPPPPPPPPPP","slug":"rocket","name":"Rocket"},',
        '"media":[{"type":"image","url":"https://acme.example/a.png","alt":"A","linkUrl":"https://acme.example/"}]}}',
      ].join(''),
    );
  });

  it('does not depend on the order in which a store hands out fields', () => {
    expect(payloadText(turned(announced), 42)).toBe(payloadText(announced, 42));
  });

  it('shows no field that an event may hold beyond the contract', () => {
    const withMore = { ...announced, secret: 1, release: { ...announced.release, migrationNotes: 'Beware' } };
    expect(payloadText(withMore, 42)).toBe(payloadText(announced, 42));
  });

  it('says so when it is a test', () => {
    expect(payloadText(announced, 0, { isTest: true })).toBe(
      `${payloadText(announced, 0, { isTest: false }).slice(0, -1)},"test":true}`,
    );
  });

  it('may lack org and product', () => {
    const alone = { ...announced, release: { ...announced.release, org: null, product: null } };
    expect(JSON.parse(payloadText(alone, 1))).toMatchObject({ release: { org: null, product: null } });
  });
});
