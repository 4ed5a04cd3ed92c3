import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../spec/browser/test-browser.ts';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg } from '../spec/http/preamble.ts';

// Texts, because they run in the page: the compiler knows nothing of one.
const keepViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.violations.push(violatedDirective + ' ' + blockedURI);
  });`;
const keptInStorage = 'JSON.stringify({ ...localStorage, ...sessionStorage })';

describe.skipIf(!hasBrowser())('the reference in a browser', () => {
  let service: HttpService;
  let browser: Browser;
  let page: Page;
  /** Whatever a browser tells nobody but those who look for it. */
  const complaints: string[] = [];
  const asked: URL[] = [];

  beforeAll(async () => {
    service = await startHttpService();
    await createTestOrg(service, 'Acme');
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.on('request', (request) => asked.push(new URL(request.url())));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.addInitScript({ content: keepViolations });
    await page.goto(`${service.url}/v1/docs`);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** The part of an operation, opened. */
  const operation = async (tag: string, id: string) => {
    const block = page.locator(`#operations-${tag}-${id}`);
    if (!(await block.isVisible())) await page.locator(`#operations-tag-${tag}`).click();
    await block.locator('.opblock-summary').click();
    return block;
  };

  it('shows every part of the interface', async () => {
    await page.locator('.opblock-tag').first().waitFor();
    const { tags } = (await service.get('/v1/openapi.json')).body as { tags: { name: string }[] };
    const shown = await page.locator('.opblock-tag').evaluateAll((parts) => parts.map((part) => part.dataset['tag']));
    expect(shown).toEqual(tags.map(({ name }) => name));
  });

  it('sends a request and shows the answer', async () => {
    const block = await operation('Orgs', 'getOrg');
    // A parameter that the document names by reference.
    await block.locator('tr[data-param-name="If-None-Match"]').waitFor();
    await block.locator('tr[data-param-name="slug"] input').fill('acme');
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().innerText()).toContain('200');
    expect(await answer.locator('.highlight-code').first().innerText()).toContain('"slug": "acme"');
  });

  it('sends the credential that was typed in', async () => {
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.auth-container input').fill(rootApiKey);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const block = await operation('Tokens', 'getOwnToken');
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').last().innerText()).toContain('200');
    expect(await page.evaluate(keptInStorage)).toBe('{}');
  });

  it('has asked no other host, broken no rule of its policy and thrown nothing', async () => {
    expect([...new Set(asked.filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))]).toEqual([
      service.url,
    ]);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
