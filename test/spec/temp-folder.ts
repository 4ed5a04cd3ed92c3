import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** An empty folder of its own for one test. */
export function createTempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'registry-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
