import type { Context } from 'koa';

/** An answer that may be sent as bytes that are ready, behind the lines of its head. */
export type ReadyResponse = Context['res'] & {
  /** Without a body, it is null. */
  readonly endReady: (status: number, lines: string, body: Buffer | null) => void;
};

const name = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** What would end a field, or cannot be sent. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** A field of a head as it is sent; throws where it would be something else. */
export function fieldLine(field: string, value: string): string {
  if (!name.test(field) || unsendable.test(value)) throw new Error(`the field ${field} cannot be sent`);
  return `${field}: ${value}\r\n`;
}

/** The fields of a head as they are sent. They are checked here, once, and not for each who gets them. */
export function headLines(fields: Iterable<readonly [name: string, value: string]>): string {
  let lines = '';
  for (const [field, value] of fields) lines += fieldLine(field, value);
  return lines;
}
