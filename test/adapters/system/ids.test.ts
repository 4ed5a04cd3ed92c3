import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/adapters/system/ids.ts';

describe('ids of requests', () => {
  it('are UUIDs, each another one', () => {
    const ids = Array.from({ length: 140_000 }, systemIds.requestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))).toEqual([]);
  });
});
