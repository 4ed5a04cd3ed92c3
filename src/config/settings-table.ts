import { type SettingRow, settingRows } from './settings.ts';

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

const flagOf = ({ flag }: SettingRow): string => (flag === undefined ? '' : code(`--${flag}`));

const defaultOf = ({ fallback, secret }: SettingRow): string =>
  code(fallback ?? '') + (secret ? 'none; never printed' : '');

/** Every setting as a Markdown table. */
const settingsTable = (): string =>
  [
    '| Setting | Flag | Default | Meaning |',
    '|---|---|---|---|',
    ...settingRows.map((row) => `| ${[code(row.name), flagOf(row), defaultOf(row), row.description].join(' | ')} |`),
  ].join('\n');

const begin = '<!-- settings: made by npm run docs:config -->';
const end = '<!-- settings end -->';

/** The page with the table between its two marks. */
export function withSettingsTable(page: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the page lacks the lines "${begin}" and "${end}"`);
  return `${page.slice(0, from + begin.length)}\n${settingsTable()}\n${page.slice(to)}`;
}
