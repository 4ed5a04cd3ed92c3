import { type Document, DomHandler } from 'domhandler';
import { Parser } from 'htmlparser2';
import { FetchFailed } from '../fetch-failed.ts';

/** As deep as browsers go. Every open element costs each one inside it a little, which bounds the whole. */
const depthMax = 512;
/** Each takes some 250 bytes of memory, whatever it holds; the longest changelogs of today have a tenth of it. */
const elementsMax = 300_000;

/** The elements of a page. Throws FetchFailed. */
export function parsePage(markup: string): Document {
  const handler = new DomHandler();
  let depth = 0;
  let elements = 0;
  const open = handler.onopentag.bind(handler);
  const close = handler.onclosetag.bind(handler);
  handler.onopentag = (name, attributes) => {
    depth += 1;
    elements += 1;
    if (elements > elementsMax) {
      throw new FetchFailed('too_large', 200, { sentence: `The page has more than ${elementsMax} elements.` });
    }
    if (depth > depthMax) {
      throw new FetchFailed('unreadable', 200, { sentence: `The page is nested more than ${depthMax} elements deep.` });
    }
    open(name, attributes);
  };
  handler.onclosetag = () => {
    depth -= 1;
    close();
  };
  new Parser(handler).end(markup);
  return handler.root;
}
