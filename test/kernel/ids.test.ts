import { describe, expect, it } from 'vitest';
import {
  derivedId,
  eventId,
  idPrefixes,
  isId,
  orgId,
  productId,
  releaseId,
  releaseIdOfPath,
  sourceId,
  streamOfId,
  tokenId,
} from '../../src/kernel/ids.ts';

const tail = '5dR8mK1vQz0YtH6nBx3Lp';

describe('ids', () => {
  it('has every prefix of the contract', () => {
    expect([...idPrefixes].sort()).toEqual('col evt fet key loc org prod rel src sum tag tok usr whk'.split(' '));
  });

  it.each(idPrefixes)('%s_ is followed by exactly 21 letters or digits', (prefix) => {
    expect(isId(prefix, `${prefix}_${tail}`)).toBe(true);
    expect(isId(prefix, `${prefix}_${tail}x`)).toBe(false);
    expect(isId(prefix, `${prefix}_${tail.slice(1)}`)).toBe(false);
    expect(isId(prefix, `${prefix}_${tail.slice(1)}-`)).toBe(false);
    expect(isId(prefix, `${prefix}_${tail.slice(1)}é`)).toBe(false);
    expect(isId(prefix, `${prefix}_${tail}\n`)).toBe(false);
    expect(isId(prefix, ` ${prefix}_${tail}`)).toBe(false);
    expect(isId(prefix, `${prefix.toUpperCase()}_${tail}`)).toBe(false);
    expect(isId(prefix, tail)).toBe(false);
    expect(isId(prefix === 'org' ? 'src' : 'org', `${prefix}_${tail}`)).toBe(false);
  });

  it.each([
    [orgId, 'org'],
    [productId, 'prod'],
    [sourceId, 'src'],
    [releaseId, 'rel'],
    [eventId, 'evt'],
    [tokenId, 'tok'],
  ] as const)('a schema takes its own prefix only (%#)', (schema, prefix) => {
    expect(schema.safeParse(`${prefix}_${tail}`).success).toBe(true);
    expect(schema.safeParse(`xyz_${tail}`).success).toBe(false);
    expect(schema.safeParse(`prd_${tail}`).success).toBe(false);
    expect(schema.safeParse(12).success).toBe(false);
  });

  it('derives the same id from the same parts, and another from other parts', () => {
    const id = derivedId('evt', 'a', 'b');
    expect(isId('evt', id)).toBe(true);
    expect(derivedId('evt', 'a', 'b')).toBe(id);
    expect(derivedId('evt', 'a\nb')).toBe(id);
    expect(derivedId('evt', 'b', 'a')).not.toBe(id);
    expect(derivedId('evt', 'ab')).not.toBe(id);
    expect(derivedId('tok', 'a', 'b').slice(4)).toBe(id.slice(4));
  });

  it('reads the id of a release address', () => {
    expect(releaseIdOfPath(`rel_${tail}`)).toBe(`rel_${tail}`);
    expect(releaseIdOfPath(`rel_${tail}-demo-update`)).toBe(`rel_${tail}`);
    expect(releaseIdOfPath(`rel_${tail}-`)).toBe(`rel_${tail}`);
    expect(releaseIdOfPath(`rel_${tail}-ü/\n`)).toBe(`rel_${tail}`);
    expect(releaseIdOfPath(`rel_${tail}x-demo`)).toBeNull();
    expect(releaseIdOfPath(`rel_${tail.slice(1)}-demo`)).toBeNull();
    expect(releaseIdOfPath(`src_${tail}`)).toBeNull();
    expect(releaseIdOfPath('')).toBeNull();
  });

  it.each([
    [`org_${tail}`, `org-org_${tail}`],
    [`prod_${tail}`, `product-prod_${tail}`],
    [`src_${tail}`, `source-src_${tail}`],
    [`rel_${tail}`, `release-rel_${tail}`],
    [`sum_${tail}`, `summary-sum_${tail}`],
    [`tok_${tail}`, `token-tok_${tail}`],
    [`whk_${tail}`, `webhook-whk_${tail}`],
    [`evt_${tail}`, null],
    [`org-org_${tail}`, null],
    ['registry', null],
    ['org_short', null],
  ])('%s has the stream %s', (id, stream) => expect(streamOfId(id)).toBe(stream));
});
