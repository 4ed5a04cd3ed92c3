/** What means something in the middle of a line: marks, links, HTML, entities, and strikethrough as GitHub has it. */
const meaningful = /[\\`*_[\]<~]|&(?=#?\w+;)/g;

/** A text as one line that shows it as it is: it begins no block, and marks nothing up. */
export const inline = (text: string): string =>
  text.trim().replace(/\s+/g, ' ').replace(meaningful, '\\$&').replace(/#$/, '\\#'); // at the end of a heading it would be taken for its end

/** A text as a paragraph: what would begin a heading, list or quote does not. */
export const paragraph = (text: string): string =>
  inline(text).replace(/^(?:[#+=>-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));

/** Characters that would end an address in angle brackets. */
const unsafeInAddress = /[<>\s\\]/g;

export const autolink = (url: string): string => `<${url.replace(unsafeInAddress, encodeURIComponent)}>`;

/** A link to a page of ours, whose paths need no care. */
export const linkTo = (name: string, url: string): string => `[${inline(name)}](${url})`;
