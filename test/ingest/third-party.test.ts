import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';
import type { FetchFailed } from '../../src/ingest/fetch-failed.ts';
import { askThirdParty, type ThirdPartyDeps, type ThirdPartyRequest } from '../../src/ingest/third-party.ts';
import { page, redirectTo, type SiteStandin, startSiteStandin } from '../standin/site/site-standin.ts';

const http = createHttpClient();
let site: SiteStandin;
let other: SiteStandin;

beforeAll(async () => {
  [site, other] = [await startSiteStandin(), await startSiteStandin()];
});
afterAll(async () => {
  await http.close();
  await Promise.all([site.close(), other.close()]);
});

const targets = createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate: true });

const ask = (url: string, changed: Partial<ThirdPartyRequest & ThirdPartyDeps> = {}) => {
  const deadlineMs = systemClock.nowMs() + 60_000;
  const { http: client = http, targets: check = targets, hosts, ...request } = changed;
  const deps = { http: client, targets: check, clock: systemClock, ...(hosts && { hosts }) };
  return askThirdParty(deps, { url, headers: {}, deadlineMs, bodyBytesMax: 1_000_000, ...request });
};

const failure = (url: string, changed: Partial<ThirdPartyRequest & ThirdPartyDeps> = {}) =>
  ask(url, changed).then(
    ({ status }) => `answered ${status}`,
    ({ reason, status }: FetchFailed) => [reason, status],
  );

const textOf = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body);

describe('redirects', () => {
  it('are followed to other hosts, five of them, and the last address is told', async () => {
    for (const hop of [1, 2, 3, 4]) site.put(`/way${hop}`, redirectTo(`/way${hop + 1}`, 300 + hop === 304 ? 308 : 301));
    site.put('/way5', redirectTo(`${other.url}/end#part`));
    other.put('/end', page('here'));
    const answer = await ask(`${site.url}/way1`);
    expect([answer.status, answer.url, textOf(answer)]).toEqual([200, `${other.url}/end`, 'here']);
    site.put('/way0', redirectTo('/way1'));
    expect(await failure(`${site.url}/way0`)).toEqual(['unreadable', null]);
  });

  it('end where they lead in a circle, without another round', async () => {
    site.put('/circle', redirectTo(`${other.url}/circle`));
    other.put('/circle', redirectTo(`${site.url}/circle#again`));
    const before = site.asked.length;
    expect(await failure(`${site.url}/circle`)).toEqual(['unreadable', null]);
    expect(site.asked.slice(before)).toEqual(['/circle']);
  });

  it('carry no credential to another host, and not back either', async () => {
    const headers = { authorization: 'Bearer secret', Cookie: 'a=b', 'if-none-match': '"1"' };
    site.put('/away', redirectTo(`${other.url}/back`));
    other.put('/back', redirectTo(`${site.url}/home`));
    site.put('/home', page('home'));
    await ask(`${site.url}/away`, { headers });
    expect(site.headersOf(-2)).toMatchObject({ authorization: 'Bearer secret', cookie: 'a=b' });
    for (const received of [other.headersOf(-1), site.headersOf(-1)]) {
      expect(received).toMatchObject({ 'if-none-match': '"1"' });
      expect(received).not.toHaveProperty('authorization');
      expect(received).not.toHaveProperty('cookie');
    }
  });

  it('within the host keep the credential', async () => {
    site.put('/moved', redirectTo('/here', 308));
    site.put('/here', page('here'));
    await ask(`${site.url}/moved`, { headers: { authorization: 'Bearer secret' } });
    expect(site.headersOf(-1)).toMatchObject({ authorization: 'Bearer secret' });
  });

  it('to another host are refused to who stays on one', async () => {
    site.put('/leaving', redirectTo(`${other.url}/end`));
    const before = other.asked.length;
    expect(await failure(`${site.url}/leaving`, { staysOnHost: true })).toEqual(['blocked', 302]);
    expect(other.asked).toHaveLength(before);
  });

  it('are checked again, each of them', async () => {
    site.put('/inside', redirectTo(`${other.url}/end`));
    const before = other.asked.length;
    const vet = async (url: string) =>
      url.startsWith(other.url)
        ? ({ kind: 'refused', reason: 'private_address' } as const)
        : ({ kind: 'allowed', addresses: null } as const);
    expect(await failure(`${site.url}/inside`, { targets: { vet } })).toEqual(['blocked', null]);
    expect(other.asked).toHaveLength(before);
  });

  it.each([
    'http://93.184.216.34/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'file:///etc/passwd',
  ])('from the public internet do not lead to %s', async (location) => {
    const asked: string[] = [];
    const send = async ({ url }: { readonly url: string }) => {
      asked.push(url);
      return { status: 302, headers: { location }, body: new Uint8Array(), truncated: false };
    };
    const guard = createTargetGuard({ resolver: { addresses: async () => ['93.184.216.34'] }, allowPrivate: false });
    expect(await failure('https://example.com/', { targets: guard, http: { send } })).toEqual(['blocked', null]);
    expect(asked).toEqual(['https://example.com/']);
  });

  it.each([[undefined], ['https://'], ['http://[']])('to %s lead nowhere', async (location) => {
    site.put('/nowhere', page('', location === undefined ? {} : { location }, 302));
    expect(await failure(`${site.url}/nowhere`)).toEqual(['unreadable', 302]);
  });

  it('are told to who wants to know, before anybody is asked', async () => {
    site.put('/told', redirectTo(`${other.url}/forbidden`));
    const [told, before]: [string[], number] = [[], other.asked.length];
    const beforeAsking = async (url: string) => {
      told.push(url);
      if (url.endsWith('/forbidden')) throw new Error('not there');
    };
    await expect(ask(`${site.url}/told`, { beforeAsking })).rejects.toThrow('not there');
    expect(told).toEqual([`${site.url}/told`, `${other.url}/forbidden`]);
    expect(other.asked).toHaveLength(before);
  });
});

it('goes to the addresses that were checked, wherever the name leads by then', async () => {
  site.put('/checked', page('here'));
  const { port } = new URL(site.url);
  const vet = async () => ({ kind: 'allowed', addresses: ['127.0.0.1'] }) as const;
  expect(textOf(await ask(`http://feeds.invalid:${port}/checked`, { targets: { vet } }))).toBe('here');
  expect(site.headersOf(-1).host).toBe(`feeds.invalid:${port}`);
});

describe('packed answers', () => {
  const text = 'Ünpacked '.repeat(5_000);
  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('of %s are asked for and unpacked', async (encoding, body) => {
    site.put('/packed', page(body, { 'content-encoding': encoding }));
    const answer = await ask(`${site.url}/packed`);
    expect(textOf(answer)).toBe(text);
    expect(answer.truncated).toBe(false);
    expect(site.headersOf(-1)).toMatchObject({ 'accept-encoding': 'gzip, deflate, br' });
  });

  it('may be empty', async () => {
    site.put('/empty', page('', { 'content-encoding': 'gzip' }));
    expect((await ask(`${site.url}/empty`)).body).toHaveLength(0);
  });

  it.each([
    ['gzip', 'no gzip at all'],
    ['gzip', gzipSync(text).subarray(0, 100)],
    ['br', 'no brotli'],
    ['deflate', '\xff\xff\xff'],
    ['zstd', 'what was not asked for'],
    ['gzip, br', gzipSync(text)],
  ])('of %s that cannot be unpacked are unreadable', async (encoding, body) => {
    site.put('/garbage', page(body, { 'content-encoding': encoding }));
    expect(await failure(`${site.url}/garbage`)).toEqual(['unreadable', 200]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['br', (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('of %s end at the bound, however much they would become', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    site.put('/bomb', page(bomb, { 'content-encoding': encoding }));
    const before = process.memoryUsage().arrayBuffers;
    const answer = await ask(`${site.url}/bomb`);
    expect([answer.truncated, answer.body.length]).toEqual([true, 1_000_000]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it('are too large when they already are so as they come', async () => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * index) % 251)));
    site.put('/large', page(packed, { 'content-encoding': 'gzip' }));
    expect(await failure(`${site.url}/large`, { bodyBytesMax: 10 })).toEqual(['too_large', 200]);
  });
});

describe('a hostile server', () => {
  it('that sends a byte now and then is given up in time', async () => {
    site.put('/slow', (request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 5);
      request.on('close', () => clearInterval(timer));
    });
    expect(await failure(`${site.url}/slow`, { deadlineMs: systemClock.nowMs() + 200 })).toEqual(['timeout', null]);
  });

  it('whose body never ends is read as far as the bound', async () => {
    site.put('/endless', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'identity' });
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await ask(`${site.url}/endless`)).toMatchObject({ status: 200, truncated: true });
  });

  it('whose packed body never ends is read as far as the bound too', async () => {
    site.put('/endless-packed', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const packer = createGzip({ level: 0 });
      packer.pipe(response);
      const more = () => {
        while (packer.write('x'.repeat(65_536)));
        packer.once('drain', more);
      };
      response.on('close', () => packer.destroy());
      more();
    });
    expect(await failure(`${site.url}/endless-packed`)).toEqual(['too_large', 200]);
  });

  it('has no more time for many redirects than for one answer', async () => {
    const clock = { nowMs: () => now };
    let now = 0;
    const send = async ({ timeoutMs }: { readonly timeoutMs: number }) => {
      given.push(timeoutMs);
      now += 25_000;
      return { status: 302, headers: { location: `/${now}` }, body: new Uint8Array(), truncated: false };
    };
    const given: number[] = [];
    const request = { url: 'https://example.com/', headers: {}, deadlineMs: 60_000, bodyBytesMax: 10 };
    await expect(askThirdParty({ http: { send }, targets, clock }, request)).rejects.toMatchObject({
      reason: 'timeout',
    });
    expect(given).toEqual([60_000, 35_000, 10_000]);
  });
});
