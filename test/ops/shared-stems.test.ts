import { describe, expect, it } from 'vitest';
import { sharedStems } from '../../ops/bench/search-quality/shared-stems.ts';

const shared = (query: string, text: string, packageName = 'some-package') => sharedStems(query, text, packageName);

describe('the words that a query shares with a text', () => {
  it('are told in any form of theirs', () => {
    expect(shared('jumping cursors', 'Prevent the cursor from a jump')).toEqual(['jump', 'cursor']);
    expect(shared('drag it', 'while dragging')).toEqual(['drag']);
    expect(shared('it is muted', 'muting after seeking')).toEqual(['mut']);
  });

  it('are found within names of code', () => {
    expect(shared('cursor', '`options.hideCursor`')).toEqual(['cursor']);
    expect(shared('memory', '`max_memory_restart`')).toEqual(['memory']);
    expect(shared('hidecursor', '`hideCursor`')).toEqual(['hidecursor']);
  });

  it('are none where only stop words, short words or the name of the package agree', () => {
    expect(shared('when that is over', 'over that, when is it')).toEqual([]);
    expect(shared('a new bug', 'bug in new')).toEqual([]);
    expect(shared('karma reports', 'karma runs', 'karma')).toEqual([]);
  });

  it('are none where the words differ', () => {
    expect(shared('caret hops away', 'Prevent cursor jumping in bound input')).toEqual([]);
    expect(shared('muted', 'mutual dependencies')).toEqual([]);
  });
});
