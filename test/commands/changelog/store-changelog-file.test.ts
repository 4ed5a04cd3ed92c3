import { describe, expect, test } from 'vitest';
import { abandonChangelogText } from '../../../commands/changelog/abandon-changelog-text.ts';
import { storeChangelogFile } from '../../../commands/changelog/store-changelog-file.ts';
import type { ChangelogEvent, ChangelogFileStored } from '../../../src/domain/changelog/events.ts';
import { outlineRule } from '../../../src/domain/changelog/outline.ts';
import { changelog } from '../../../src/domain/changelog/state.ts';
import { deletedOrg, liveOrg, sourceAfter, sourceCreated, sourceDeleted } from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';

const sourceId = 'src_AAAAAAAAAAAAAAAAAAAAA';
const facts = { source: sourceAfter(sourceCreated({ type: 'github' })), org: liveOrg };
const outline = { pages: ['[0,0]'], firsts: [{ at: 0, tokens: 0 }], tokens: 4 };
const file = { path: 'CHANGELOG.md', content: '# Ä\n' };
const when = (fields: object, past: readonly ChangelogEvent[] = []) =>
  given(storeChangelogFile, past).when({ sourceId, file: { ...file, ...fields }, outline }, { facts });
const storedBy = (fields: object, past: readonly ChangelogEvent[] = []): ChangelogFileStored => {
  const [event] = when(fields, past).events();
  if (event?.type !== 'ChangelogFileStored.v1') throw new Error('nothing was stored');
  return event;
};
const accepts = (fields: object) =>
  storeChangelogFile.input.safeParse({ sourceId, file: { ...file, ...fields }, outline }).success;

describe('a changelog file', () => {
  test('is stored by the name of its text, with what slices need to know of it', () => {
    const { data } = storedBy({});
    expect(data).toEqual({
      path: 'CHANGELOG.md',
      url: null,
      rawUrl: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: 5,
      chars: 4,
      tokens: 4,
      truncated: false,
      fetchedAt: testNow,
      text: {
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        partChars: [4],
        pages: [{ at: 0, tokens: 0 }],
        outlineRule,
      },
      replacedKey: null,
    });
  });

  test('has its text and its outline in one body of the source, however short it is', () => {
    const input = storeChangelogFile.input.parse({ sourceId, file, outline });
    const context = { now: testNow, commandId: 'c', id: sourceId, facts, names: {} };
    const decision = storeChangelogFile.decide(input, changelog.initial, context);
    if (!('events' in decision)) throw new Error('no decision');
    const [event] = decision.events;
    const { text } = (event as ChangelogFileStored).data;
    expect(decision.bodies).toEqual([{ stream: `body-${sourceId}-${text.key}`, parts: ['# Ä\n', '[0,0]'] }]);
  });

  test('stored again as it is, is nothing new', () => {
    const first = storedBy({});
    when({}, [first]).thenNothing();
    const withUrl = storedBy({ url: 'https://a.example/x' }, [first]);
    expect(withUrl.data).toEqual({ ...first.data, url: 'https://a.example/x' });
    when({ url: 'https://a.example/x' }, [first, withUrl]).thenNothing();
  });

  test.each([undefined, outlineRule - 1])('gets a new outline where the old one was made by rule %s', (rule) => {
    const { type, data } = storedBy({});
    const { outlineRule: _, ...text } = data.text;
    const old = { type, data: { ...data, text: { ...text, ...(rule !== undefined && { outlineRule: rule }) } } };
    const again = storedBy({}, [old]);
    expect(again.data).toMatchObject({ sha256: data.sha256, replacedKey: text.key, text: { outlineRule } });
    when({}, [old, again]).thenNothing();
  });

  test('says whether only its beginning is stored', () => {
    const cut = (past: readonly ChangelogEvent[]) =>
      given(storeChangelogFile, past).when({ sourceId, file, truncated: true, outline }, { facts });
    const [first] = cut([]).events();
    expect(first?.data).toMatchObject({ truncated: true });
    cut([first!]).thenNothing();
    // What is whole now may have been the beginning of a longer file, and the other way round.
    expect(storedBy({}, [first!]).data.truncated).toBe(false);
  });

  test('replaces the text of its own path only, and says which', () => {
    const first = storedBy({});
    expect(storedBy({ content: '# B\n' }, [first]).data.replacedKey).toBe(first.data.text.key);
    expect(storedBy({ path: 'docs/NEWS.md' }, [first]).data.replacedKey).toBeNull();
    expect(stateAfter(changelog, [first, storedBy({ path: 'NEWS.md' }, [first])]).files).toHaveLength(2);
  });

  test('gets another key after a text was abandoned: its own may be the one', () => {
    const first = storedBy({});
    const abandoned: ChangelogEvent = { type: 'ChangelogTextAbandoned.v1', data: { key: first.data.text.key } };
    expect(storedBy({}, [abandoned]).data.text.key).not.toBe(first.data.text.key);
  });

  test('has a path within its repository and at most 5 MiB', () => {
    const bad = ['', '/a.md', 'a/', 'a//b', '../a.md', './a.md', 'a\nb', ' ', 'x'.repeat(501)];
    for (const path of bad) expect(accepts({ path }), path).toBe(false);
    for (const path of ['CHANGELOG', 'packages/a b/CHANGELOG.md', 'x'.repeat(500)])
      expect(accepts({ path })).toBe(true);
    expect(accepts({ content: '' })).toBe(true);
    expect(accepts({ content: 'ä'.repeat(2.5 * 1024 * 1024) })).toBe(true);
    expect(accepts({ content: `${'ä'.repeat(2.5 * 1024 * 1024)}x` })).toBe(false);
    expect(accepts({ content: 'a\0' })).toBe(false);
    expect(accepts({ url: 'ftp://a.example' })).toBe(false);
  });

  test('is of a repository that is there', () => {
    const at = (others: object) =>
      given(storeChangelogFile).when({ sourceId, file, outline }, { facts: { ...facts, ...others } });
    at({ source: sourceAfter(sourceCreated({ type: 'feed' })) }).thenFails('validation_failed');
    at({ source: sourceAfter(sourceCreated({ type: 'github' }), sourceDeleted) }).thenFails('not_found');
    at({ org: deletedOrg }).thenFails('not_found', { entity: 'source' });
  });

  test('is one of a hundred at most', () => {
    const past = Array.from({ length: 100 }, (_, n) => storedBy({ path: `${n}.md` }));
    when({ path: '100.md' }, past).thenFails('limit_exceeded', { max: 100, current: 100 });
    when({ path: '99.md', content: 'new' }, past).thenTypes('ChangelogFileStored.v1');
  });
});

describe('a text of a changelog', () => {
  test('is abandoned unless a file names it', () => {
    const first = storedBy({});
    const { key } = first.data.text;
    given(abandonChangelogText, [first]).when({ sourceId, key }).thenNothing();
    const abandoned: ChangelogEvent = { type: 'ChangelogTextAbandoned.v1', data: { key: 'k' } };
    given(abandonChangelogText, [first]).when({ sourceId, key: 'k' }).then([abandoned]);
    const second = storedBy({ content: 'other' }, [first]);
    given(abandonChangelogText, [first, second]).when({ sourceId, key }).thenTypes('ChangelogTextAbandoned.v1');
  });
});
