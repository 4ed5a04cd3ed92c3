import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { feedItems } from '../../../src/ingest/feed/feed-items.ts';
import { NoFeed, readFeed } from '../../../src/ingest/feed/read-feed.ts';

const address = 'https://feeds.example.com/all/feed.xml';
const read = (body: string | Uint8Array, isWhole = true) =>
  readFeed({ bytes: typeof body === 'string' ? Buffer.from(body) : body, contentType: undefined, address, isWhole });
const told = async (body: string | Uint8Array) => {
  const { items, leftOut } = await feedItems(read(body), systemClock, {});
  return { items, leftOut };
};
const saved = (name: string) => readFileSync(new URL(`../../fixtures/feeds/${name}`, import.meta.url));
const itemsOf = async (body: string | Uint8Array) => (await told(body)).items;

const rss = (items: string, head = '') => `<rss version="2.0"><channel>${head}${items}</channel></rss>`;
const atom = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>`;
const titleOf = async (xml: string) => (await itemsOf(rss(`<item>${xml}<link>/a</link></item>`)))[0]?.title;

describe('the formats of feeds', () => {
  it('RSS 2.0, with its extensions under any prefix', async () => {
    expect(read(saved('rss-2.0.xml')).title).toBe('Acme & Sons');
    expect(await told(saved('rss-2.0.xml'))).toEqual({
      leftOut: [],
      items: [
        {
          title: 'Kit 2.1.0: Tom & Jerry',
          version: '2.1.0',
          url: 'https://acme.example/changelog/2-1-0',
          publishedAt: '2026-03-01T10:00:00.000Z',
          content: 'See [the docs](https://acme.example/docs).\n\n- One',
          media: [
            { type: 'image', url: 'https://acme.example/media/kit.png' },
            { type: 'video', url: 'https://cdn.example/kit.mp4', alt: 'Kit in motion' },
            { type: 'image', url: 'https://cdn.example/t.jpg', alt: 'Kit in motion' },
          ],
        },
        {
          title: 'Fixed map<T> – café',
          url: 'https://acme.example/changelog/fix',
          publishedAt: '2026-02-20T07:00:00.000Z',
          content: 'Relative ![pic](https://acme.example/changelog/pic.png)',
        },
        {
          title: 'First line of a plain text — yes.',
          publishedAt: '2026-02-20T07:00:00.000Z',
          content: 'First line of a plain text — yes.\nSecond line.',
        },
        { title: '2026-02-10', publishedAt: '2026-02-10T00:00:00.000Z', content: '' },
      ],
    });
  });

  it('with a prefix that means something else within an element, and nothing behind it', async () => {
    const fields = `<x:date>2026-03-01</x:date><p:a xmlns:x="http://other.example"><x:date>2026-03-02</x:date></p:a>`;
    const dc = 'xmlns:x="http://purl.org/dc/elements/1.1/"';
    const [first, second] = await itemsOf(
      rss(
        `<item ${dc}><title>A</title>${fields}</item>` +
          `<item><title>B</title><x:date>2026-03-03</x:date></item>` +
          `<item><title>C</title><x:date ${dc}>2026-03-04</x:date></item>`,
      ),
    );
    expect([first, second]).toMatchObject([
      { title: 'C', publishedAt: '2026-03-04T00:00:00.000Z' },
      { title: 'A', publishedAt: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  it('RSS 0.91, in its order where it has no dates', async () => {
    expect(await itemsOf(saved('rss-0.91.xml'))).toEqual([
      { title: 'Version 1.0.1 is out', version: '1.0.1', url: 'http://old.example/101', content: 'Mends 1.0.' },
      { title: 'Version 1.0 is out', version: '1.0', url: 'http://old.example/100', content: '' },
    ]);
  });

  it('RSS 1.0, the newest first', async () => {
    expect(await itemsOf(saved('rss-1.0.xml'))).toEqual([
      {
        title: 'v0.2.0',
        version: '0.2.0',
        url: 'https://rdf.example/2',
        publishedAt: '2026-01-02T00:00:00.000Z',
        content: 'Second',
      },
      { title: 'One', url: 'https://rdf.example/1', publishedAt: '2026-01-01T00:00:00.000Z', content: 'First' },
    ]);
  });

  it('Atom 1.0, with every type of text and bases within bases', async () => {
    expect(read(saved('atom-1.0.xml')).title).toBe('Notes & news');
    expect(await itemsOf(saved('atom-1.0.xml'))).toEqual([
      {
        title: 'Kit 3.0.0-rc.1',
        version: '3.0.0-rc.1',
        url: 'https://other.example/permanent',
        publishedAt: '2026-03-03T10:00:00.000Z',
        content: '[y](https://other.example/y) ©',
      },
      {
        title: '1 < 2 &amp; 3',
        url: 'https://atom.example/blog/first',
        publishedAt: '2026-03-01T10:00:00.000Z',
        content: 'Hello **you**  \n[x](https://atom.example/blog/deep/x)',
        media: [{ type: 'gif', url: 'https://atom.example/blog/first.gif', alt: 'It moves' }],
      },
      {
        title: 'Use of <script> ends',
        version: '1.4.0',
        url: 'https://atom.example/forge/acme/kit/releases/tag/v1.4.0',
        publishedAt: '2026-02-01T00:00:00.000Z',
        content: 'Plain *text*\nand <more>',
      },
    ]);
  });

  it('Atom 0.3, with its modes', async () => {
    expect(await itemsOf(saved('atom-0.3.xml'))).toEqual([
      {
        title: 'Fish & chips',
        url: 'http://atom03.example/1',
        publishedAt: '2004-05-01T14:00:00.000Z',
        content: 'Escaped',
      },
      { title: 'Encoded', url: 'http://atom03.example/2', publishedAt: '2004-04-01T10:00:00.000Z', content: 'Encoded' },
      {
        title: 'Inline',
        url: 'http://atom03.example/3',
        publishedAt: '2004-03-01T10:00:00.000Z',
        content: 'In *line*',
      },
    ]);
  });

  it('the feed of a video channel', async () => {
    expect(await itemsOf(saved('video-channel.xml'))).toEqual([
      {
        title: "What's new in Kit 5.0",
        url: 'https://video.example/watch?v=abc',
        publishedAt: '2026-03-01T10:00:00.000Z',
        content: 'Chapters:\n00:00 Start & end\nhttps://acme.example/kit',
        media: [
          {
            type: 'image',
            url: 'https://i.video.example/abc.jpg',
            alt: "What's new in Kit 5.0",
            linkUrl: 'https://video.example/watch?v=abc',
          },
        ],
      },
    ]);
  });

  it('JSON Feed, around what is none of its items', async () => {
    expect(await told(saved('json-feed-1.1.json'))).toEqual({
      leftOut: [{ entry: '1 items', reason: 'They are something else than items.' }],
      items: [
        {
          title: 'Two ’ v2.0.0',
          version: '2.0.0',
          url: 'https://json.example/two',
          publishedAt: '2026-03-01T09:00:00.000Z',
          content: 'Read [more](https://json.example/more)',
          media: [
            { type: 'image', url: 'https://json.example/two.png' },
            { type: 'video', url: 'https://json.example/two.mp4', alt: 'Moving' },
          ],
        },
        {
          title: 'Only text, no title',
          url: 'https://json.example/one',
          publishedAt: '2026-02-01T00:00:00.000Z',
          content: 'Only *text*, no title',
        },
        { title: 'Three', url: 'https://elsewhere.example/', content: 'Three' },
      ],
    });
  });

  it('XML that is slightly damaged', async () => {
    expect(read(saved('damaged-rss.xml')).title).toBe('Broken & proud');
    expect(await itemsOf(saved('damaged-rss.xml'))).toEqual([
      {
        title: 'Q&A: AT&T &unknown; 1.0.1',
        version: '1.0.1',
        url: 'https://broken.example/?a=1&copy=2&b=3',
        publishedAt: '2026-03-01T10:00:00.000Z',
        content: 'Not escaped  \nat all & unclosed',
      },
      {
        title: 'Not closed',
        url: 'https://broken.example/2',
        publishedAt: '2026-02-28T10:00:00.000Z',
        content: 'Two & more',
      },
      { title: 'Shouting', url: 'https://broken.example/3', publishedAt: '2026-02-27T00:00:00.000Z', content: '' },
    ]);
    expect((await itemsOf(saved('control-characters.xml')))[0]?.title).toBe('bell and escape');
  });

  it('in other encodings', async () => {
    const xml =
      '<?xml version="1.0" encoding="iso-8859-1"?><rss><channel><item><title>caf\xe9 \x93q\x94</title></item></channel></rss>';
    expect((await itemsOf(Buffer.from(xml, 'latin1')))[0]?.title).toBe('café “q”');
    expect((await itemsOf(Buffer.from(`\ufeff${xml}`, 'utf16le')))[0]?.title).toContain('café');
  });
});

describe('titles', () => {
  it.each([
    ['<title>A &amp; B</title>', 'A & B'],
    ['<title>A &amp;amp; B</title>', 'A & B'],
    ['<title>A &amp;amp;amp; B</title>', 'A & B'],
    ['<title>It&amp;#8217;s</title>', 'It’s'],
    ['<title><![CDATA[A &amp; B]]></title>', 'A & B'],
    ['<title>A &eacute; &nbsp; B</title>', 'A é B'],
    ['<title>&lt;b&gt;Bold&lt;/b&gt; move</title>', 'Bold move'],
    ['<title>Map&lt;K, V&gt; is faster</title>', 'Map<K, V> is faster'],
    ['<title>How to use &amp;lt;b&amp;gt;</title>', 'How to use <b>'],
    ['<title>one\n  two</title>', 'one two'],
    ['<title> </title><description>- The **first** thing</description>', 'The first thing'],
    ['<description>&lt;h2&gt;Heading&lt;/h2&gt;text</description>', 'Heading'],
    ['<title>photo_\u202egpj.exe</title>', 'photo_gpj.exe'],
  ])('%s', async (xml, title) => {
    expect(await titleOf(xml)).toBe(title);
  });
});

describe('addresses', () => {
  const urlsOf = async (body: string) => (await itemsOf(body)).map(({ url }) => url);

  it('are those of links, else permalinks, else none', async () => {
    const items = [
      '<link>https://a.example/1</link><guid>https://a.example/g1</guid>',
      '<guid>https://a.example/g2</guid>',
      '<guid isPermaLink="false">https://a.example/g3</guid>',
      '<guid>4</guid>',
      '<link>javascript:alert(5)</link>',
      '<link>ftp://a.example/6</link>',
      '<link href="https://a.example/7"/>',
      '<link>https://me:pw@a.example/8</link>',
    ];
    const body = rss(items.map((fields, index) => `<item><title>T${index}</title>${fields}</item>`).join(''));
    expect(await urlsOf(body)).toEqual([
      'https://a.example/1',
      'https://a.example/g2',
      undefined,
      undefined,
      undefined,
      undefined,
      'https://a.example/7',
      undefined,
    ]);
  });

  it('are no identity where several entries have the same, or the feed itself', async () => {
    const item = (title: string, link: string) => `<item><title>${title}</title><link>${link}</link></item>`;
    const body = rss(
      item('A', 'https://a.example/log') +
        item('B', 'https://a.example/log') +
        item('C', 'https://a.example/') +
        item('D', '/d'),
      '<link>https://a.example/</link>',
    );
    expect(await urlsOf(body)).toEqual([undefined, undefined, undefined, 'https://a.example/d']);
  });

  it('are relative to the nearest base, else to where the feed is', async () => {
    const body = `<feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="sub/"><title>A</title><link href="a" xml:base="../up/"/></entry><entry><title>B</title><link href="b"/></entry></feed>`;
    expect(await urlsOf(body)).toEqual(['https://feeds.example.com/all/up/a', 'https://feeds.example.com/all/b']);
  });
});

describe('entries', () => {
  it('that stand twice are taken once, and named', async () => {
    const item = '<item><guid>x</guid><title>Twice</title></item>';
    expect(await told(rss(item + item))).toMatchObject({
      items: [{ title: 'Twice' }],
      leftOut: [{ entry: 'Twice', reason: 'The feed has it more than once.' }],
    });
  });

  it('that say nothing are named, and the others go in', async () => {
    const body = rss('<item><link>https://a.example/empty</link></item><item><title>A</title></item>');
    expect(await told(body)).toMatchObject({
      items: [{ title: 'A' }],
      leftOut: [{ entry: 'https://a.example/empty' }],
    });
  });

  it('are no more than one batch takes: the newest, in number and in bytes', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => {
      const date = new Date(Date.UTC(2026, 0, 1) + ((index * 7_919) % 3_000) * 60_000).toISOString();
      return `<item><title>${date}</title><guid isPermaLink="false">${index}</guid><pubDate>${date}</pubDate></item>`;
    });
    const { items, leftOut } = await told(rss(many.join('')));
    expect(leftOut).toEqual([{ entry: '2500 more', reason: 'They are older, and more than one fetch takes in.' }]);
    expect(items).toHaveLength(500);
    expect(items.map(({ publishedAt }) => publishedAt)).toEqual(
      Array.from({ length: 500 }, (_, index) =>
        new Date(Date.UTC(2026, 0, 1) + (2_999 - index) * 60_000).toISOString(),
      ),
    );
    const large = rss(
      Array.from(
        { length: 12 },
        (_, index) => `<item><title>${index}</title><description>${'é'.repeat(450_000)}</description></item>`,
      ).join(''),
    );
    const fitting = await told(large);
    expect([fitting.items.length, fitting.leftOut[0]?.entry]).toEqual([8, '4 more']);
  });

  it('without a date keep their place among the others', async () => {
    const item = (title: string, date = '') =>
      `<item><title>${title}</title>${date && `<pubDate>${date}</pubDate>`}</item>`;
    const body = rss(
      item('new') + item('b', '2 Mar 2026') + item('after b') + item('a', '1 Mar 2026') + item('c', '3 Mar 2026'),
    );
    expect((await itemsOf(body)).map(({ title }) => title)).toEqual(['new', 'c', 'b', 'after b', 'a']);
  });

  it('of a feed whose end is missing are those that are whole', () => {
    const cut = '<rss><channel><item><title>A</title></item><item><title>B</title></item><item><title>C</ti';
    const titles = (isWhole: boolean) => read(cut, isWhole).entries.map(({ title }) => title?.value);
    expect(titles(false)).toEqual(['A', 'B']);
    expect(titles(true)).toHaveLength(3);
  });

  it('keep only media that can be shown', async () => {
    const enclosures = [
      'data:image/png;base64,xx',
      'javascript:x',
      `https://a.example/${'x'.repeat(3_000)}.png`,
      '/ok.png',
      '/ok.png',
    ]
      .map((url) => `<enclosure url="${url}" type="image/png"/>`)
      .join('');
    const [item] = await itemsOf(rss(`<item><title>A</title>${enclosures}</item>`));
    expect(item?.media).toEqual([{ type: 'image', url: 'https://feeds.example.com/ok.png' }]);
  });
});

describe('what is no feed', () => {
  it.each([
    ['a page', '<!DOCTYPE html><html><head></head></html>', true],
    ['a part of a page', '<body><p>Not found</p></body>', true],
    ['nothing', '', false],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0', false],
    ['other XML', '<?xml version="1.0"?><sitemap/>', false],
    ['other JSON', '{"items": []}', false],
    ['half of a JSON feed', '{"version": "https://jsonfeed.org/version/1", "items": [', false],
    ['a list', '[]', false],
  ])('%s', (_, body, isPage) => {
    const noFeed = (() => {
      try {
        return read(body);
      } catch (error) {
        return error;
      }
    })();
    expect(noFeed).toBeInstanceOf(NoFeed);
    expect((noFeed as NoFeed).html !== null).toBe(isPage);
  });
});

// Each would take minutes, the stack or the memory of the process if it were not bounded.
describe('hostile feeds', () => {
  const laughs = Array.from(
    { length: 30 },
    (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`,
  ).join('');

  it('declare entities, which nobody expands or fetches', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY lol0 "lol">${laughs}<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('<item><title>&lol30; &x;</title></item>')}`;
    expect((await itemsOf(bomb))[0]?.title).toBe('&lol30; &x;');
  });

  it.each([
    [
      '100,000 entries',
      () => rss('<item><title>T</title><link>/x</link><description>d</description></item>'.repeat(100_000)),
      1,
    ],
    ['a million empty entries', () => rss('<item/>'.repeat(1_000_000)), 0],
    ['100,000 entries that nobody closed', () => rss('<item><title>T'.repeat(100_000)), 1],
    ['elements in elements', () => rss(`<item><title>T</title>${'<a>'.repeat(1_000_000)}</item>`), 1],
    ['fields in a field', () => rss(`<item><title>T</title>${'<category>c</category>'.repeat(200_000)}</item>`), 1],
    ['end tags', () => rss(`<item><title>T</title>${'<b>'.repeat(1_000)}${'</i>'.repeat(1_000_000)}</item>`), 1],
    ['declared namespaces', () => rss(`<item><title>T</title>${'<a xmlns:b="c">'.repeat(300_000)}</item>`), 1],
    [
      'elements that declare one within many declared namespaces',
      () => {
        const many = Array.from(
          { length: 190 },
          (_, level) => `<a${Array.from({ length: 100 }, (__, n) => ` xmlns:p${level}x${n}="u"`).join('')}>`,
        );
        return rss(`<item><title>T</title>${many.join('')}${'<b xmlns:c="d">'.repeat(100_000)}</item>`);
      },
      1,
    ],
    [
      'attributes',
      () =>
        rss(`<item><title>T</title><a ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}/></item>`),
      1,
    ],
    ['bases within bases', () => rss(`<item><title>T</title>${'<a xml:base="x/">'.repeat(300_000)}</item>`), 1],
    ['ten megabytes of blanks', () => rss(`<item><title>T${' '.repeat(10_000_000)}</title></item>`), 1],
    ['ten megabytes of a title', () => rss(`<item><title>${'T'.repeat(10_000_000)}</title></item>`), 1],
    [
      'ten megabytes of ampersands',
      () => rss(`<item><title>T</title><description>${'&'.repeat(10_000_000)}</description></item>`),
      1,
    ],
  ])('of %s', async (_, body, count) => {
    expect((await itemsOf(body())).length).toBe(count);
  });

  it('of nested JSON', () => {
    expect(() => read(`{"version": "https://jsonfeed.org/version/1", "items": ${'['.repeat(5_000_000)}`)).toThrow(
      NoFeed,
    );
    expect(() =>
      read(`{"version": "https://jsonfeed.org/version/1", "items": [${'{},'.repeat(1_000_000)}{}]}`),
    ).toThrow(NoFeed);
    const inText = `{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1", "content_text": "${'[{\\"'.repeat(100_000)}"}]}`;
    expect(read(inText).entries).toHaveLength(1);
  });

  it('of many repeated entries name a bounded number of them', async () => {
    const { leftOut } = await told(rss('<item><guid>x</guid><title>T</title></item>'.repeat(2_000)));
    expect(leftOut).toHaveLength(102); // and how many were too old to be looked at
    expect(leftOut.at(-1)?.entry).toMatch(/^\d+ more$/);
  });

  it('of Atom without its namespace are read', async () => {
    expect(await itemsOf('<feed><entry><title>A</title><updated>2026-03-01</updated></entry></feed>')).toHaveLength(1);
    expect(await itemsOf(atom('<entry><title>A</title></entry>'))).toHaveLength(1);
  });
});
