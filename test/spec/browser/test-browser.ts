import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian has it; another one is named by CHROMIUM_FOR_TESTS. */
const path = process.env['CHROMIUM_FOR_TESTS'] ?? '/usr/bin/chromium';

/** Whether there is a browser on this machine; one that should have it says so with REQUIRE_REAL. */
export function hasBrowser(): boolean {
  if (existsSync(path)) return true;
  const why = `there is no ${path}; install chromium, or name another with CHROMIUM_FOR_TESTS`;
  if ((process.env['REQUIRE_REAL'] ?? '').split(',').includes('browser')) {
    throw new Error(`REQUIRE_REAL names browser, but ${why}.`);
  }
  process.stderr.write(`\nSKIPPED: the suites of the browser, because ${why}.\n`);
  return false;
}

/** Chromium without a window. It has no sandbox, which it cannot make in most containers: it opens our pages only. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
