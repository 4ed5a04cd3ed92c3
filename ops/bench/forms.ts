import { type FullFeedItem, revisedAt } from '../../queries/shape/release/feed-item.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { type AtomInput, writeAtomFeed } from '../../src/forms/atom/atom-feed.ts';
import { contentHtml } from '../../src/forms/atom/content-html.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Figure } from './bench-report.ts';

const rounds = 20;
const webBaseUrl = 'https://registry.example';
const megabyteOf = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length)).slice(0, 1_000_000);

const commonNotes = megabyteOf(
  '## Fixed\n\n* **core**: Mend the [thing](https://example.com/a/b) that `broke` in #123\n* more <b>text</b>\n\n' +
    '```js\nconst a = 1;\n```\n\n',
);

const hostileTexts: Readonly<Record<string, string>> = {
  brackets: megabyteOf('['),
  images: megabyteOf('!['),
  stars: megabyteOf('*a_'),
  tags: megabyteOf('<b>'),
  headings: megabyteOf('#\n'),
  lists: megabyteOf('*\n'),
  'cells of a table': `${'|a'.repeat(700)}\n${'|-'.repeat(700)}\n${megabyteOf('a\n')}`,
};

type Release = FullFeedItem;

const at = '2026-01-01T00:00:00.000Z';
const releaseOf = (number: number, content: string): Release =>
  ({
    id: `rel_${number}`,
    title: 'Spring update',
    titleShort: null,
    titleGenerated: null,
    version: `1.${number}.0`,
    summary: 'Faster.',
    content,
    publishedAt: at,
    fetchedAt: at,
    [revisedAt]: at,
    webUrl: `${webBaseUrl}/release/rel_${number}`,
    org: { name: 'Acme' },
    source: { name: 'Blog' },
  }) as Release;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** CPU of the median round, so that what else runs on the machine does not count. */
const medianCpuMs = async (work: () => unknown): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    times.push(cpuMs(before));
  }
  return times.sort((a, b) => a - b)[rounds / 2]!;
};

async function* onePage(releases: readonly Release[]) {
  yield releases;
}

/** The longest that a feed held the thread without a pause, in CPU. */
async function longestTurnMs(input: () => AtomInput): Promise<number> {
  let began = process.cpuUsage();
  let longest = 0;
  const endTurn = () => {
    longest = Math.max(longest, cpuMs(began));
  };
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms) => {
      endTurn();
      await systemClock.sleep(ms);
      began = process.cpuUsage();
    },
  };
  await writeAtomFeed(input(), clock);
  endTurn();
  return longest;
}

/** Atom feeds of 50 releases, and the texts that take longest to render. */
export async function runForms(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const chars of [1_000, 4_000, 10_000]) {
    const releases = Array.from({ length: 50 }, (_, number) => releaseOf(number, commonNotes.slice(0, chars)));
    const entity = { id: 'org_1', name: 'Acme', createdAt: at };
    const input = () => ({ entity, pages: onePage(releases), pageUrl: `${webBaseUrl}/acme`, webBaseUrl });
    const metric = `feed of 50 texts of ${chars.toLocaleString('en')} characters`;
    figures.push(
      { metric, value: await medianCpuMs(() => writeAtomFeed(input(), systemClock)), unit: 'ms CPU' },
      { metric: `${metric}, longest turn`, value: await longestTurnMs(input), unit: 'ms CPU', atMost: 20 },
    );
  }
  for (const [what, content] of Object.entries(hostileTexts)) {
    const render = () => contentHtml({ content, summary: '', webUrl: webBaseUrl });
    figures.push({ metric: `a megabyte of ${what}`, value: await medianCpuMs(render), unit: 'ms CPU', atMost: 200 });
  }
  return figures;
}
