import { Document, Scalar, visit } from 'yaml';

/** What some readers take for the end of a line, and what YAML has no other way to write. */
const escapedChars = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const layout = {
  blockQuote: false,
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

/**
 * YAML between two lines of hyphens. Every value stays on the line of its key, whatever it holds, so that none can look
 * like the line that ends it. Texts that older readers would take for something else, as `yes` or a date, are quoted.
 */
export const frontMatter = (values: Readonly<Record<string, unknown>>): string => {
  const document = new Document(values, { compat: 'yaml-1.1' });
  visit(document, {
    // Only between double quotes does an escape mean anything.
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && scalar.value.search(escapedChars) !== -1)
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return `---\n${document.toString(layout).replace(escapedChars, escapeOf)}---\n`;
};
