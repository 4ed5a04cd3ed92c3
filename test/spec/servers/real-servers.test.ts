import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realServer } from './real-servers.ts';

describe('a suite that needs a real server', () => {
  beforeEach(() => {
    vi.stubEnv('MONGODB_URL_FOR_TESTS', '');
    vi.stubEnv('REQUIRE_REAL', '');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('takes the address that it is given', () => {
    vi.stubEnv('MONGODB_URL_FOR_TESTS', 'mongodb://a.example');
    expect(realServer('mongodb')).toBe('mongodb://a.example');
  });

  it('is left out with a line that says how to run it', () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(realServer('mongodb')).toBeNull();
    expect(said.mock.calls.join()).toMatch(/SKIPPED: the suites of mongodb.*ops\/stack\/up/);
  });

  it('fails where it must run', () => {
    vi.stubEnv('REQUIRE_REAL', 'kafka,mongodb');
    expect(() => realServer('mongodb')).toThrow(/REQUIRE_REAL names mongodb, but MONGODB_URL_FOR_TESTS is not set/);
  });
});
