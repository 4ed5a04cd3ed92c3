import { describe, expect, it } from 'vitest';
import type { BodyPartStored } from '../../../src/domain/body/events.ts';
import { body, textOf } from '../../../src/domain/body/state.ts';
import { stateAfter } from '../../spec/given-when-then.ts';

const part = (number: number, text: string): BodyPartStored => ({
  type: 'BodyPartStored.v1',
  data: { part: number, parts: 3, text },
});

const ref = { sha256: 'f'.repeat(64), chars: 3, parts: 3 };

describe('body', () => {
  it('is the whole text once its last part is there', () => {
    expect(stateAfter(body, []).text).toBeNull();
    expect(stateAfter(body, [part(0, 'a'), part(1, 'b')]).text).toBeNull();
    expect(stateAfter(body, [part(0, 'a'), part(1, 'b'), part(2, 'c')]).text).toBe('abc');
  });

  it('takes a part that was stored twice once', () => {
    expect(stateAfter(body, [part(0, 'a'), part(0, 'a'), part(1, 'b')]).text).toBeNull();
    expect(stateAfter(body, [part(0, 'a'), part(0, 'a'), part(2, 'c'), part(1, 'b')]).text).toBe('abc');
  });
});

describe('textOf', () => {
  it('gives the text itself or that of the named body', () => {
    expect(textOf('abc', undefined)).toBe('abc');
    expect(textOf(ref, stateAfter(body, [part(0, 'a'), part(1, 'b'), part(2, 'c')]))).toBe('abc');
  });

  it('refuses to go on without the text that was promised', () => {
    expect(() => textOf(ref, undefined)).toThrow(/missing or incomplete/);
    expect(() => textOf(ref, stateAfter(body, [part(0, 'a')]))).toThrow(/missing or incomplete/);
  });
});
