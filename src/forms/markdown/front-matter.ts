import { stringify } from 'yaml';

/**
 * YAML between two lines of hyphens. Every value stays on the line of its key, whatever it holds, so that none can look
 * like the line that ends it. Texts that older readers would take for something else, as `yes` or a date, are quoted.
 */
export const frontMatter = (values: Readonly<Record<string, unknown>>): string =>
  `---\n${stringify(values, { blockQuote: false, lineWidth: 0, compat: 'yaml-1.1' })}---\n`;
