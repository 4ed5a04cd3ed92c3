import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TreeCopy {
  readonly path: string;
  readonly remove: () => void;
}

/** What git knows or would take, with the changes that are not committed; the packages are linked. */
export function copyTree(root: string): TreeCopy {
  const path = mkdtempSync(join(tmpdir(), 'registry-mutations-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const name of listed.toString().split('\0')) {
    if (name !== '' && existsSync(join(root, name))) cpSync(join(root, name), join(path, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
