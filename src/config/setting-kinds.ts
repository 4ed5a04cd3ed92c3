import { z } from 'zod';
import { addressOf } from '../kernel/address/connection-string.ts';
import { isUrl } from '../kernel/address/parse-url.ts';

export interface SettingNotes {
  /** One sentence for the table of settings. */
  readonly description: string;
  /** Ends the sentence "NAME must be …". */
  readonly mustBe: string;
  /** The command-line flag that overrides it, without its dashes. */
  readonly flag?: string;
  /** As it would be written; what a person reads when the value depends on something. */
  readonly fallback?: string;
  /** Its value is never printed. */
  readonly secret?: true;
  /** Its value as it may be printed. */
  readonly shown?: (text: string) => string;
}

const settingNotes = z.registry<SettingNotes>();

/** A setting with what people read about it. */
export const setting = <Schema extends z.ZodType>(notes: SettingNotes, schema: Schema): Schema => {
  settingNotes.add(schema, notes);
  return schema;
};

export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((number) => number <= max);

// Scripts set these in many spellings.
export const onOrOff = z.stringbool({ truthy: ['on', 'true', 'yes', '1'], falsy: ['off', 'false', 'no', '0'] });

export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

export const notesOf = (schema: z.ZodType): SettingNotes | undefined => settingNotes.get(schema);

export const isBaseUrl = (text: string): boolean => {
  if (!isUrl(text) || text.endsWith('/')) return false;
  const { protocol, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && search === '' && hash === '' && username === '';
};

/** Where a third party is asked. */
export const address = (description: string, fallback: string) =>
  setting(
    { description, mustBe: 'an http or https address without a slash at its end', fallback, shown: addressOf },
    z.string().refine(isBaseUrl).prefault(fallback),
  );

/** What a third party knows us by. */
export const credential = (description: string) =>
  setting(
    { description, mustBe: '8 to 1000 visible ASCII characters', secret: true },
    z
      .string()
      .regex(/^[\x21-\x7e]{8,1000}$/)
      .exactOptional(),
  );

export const isOrigin = (text: string): boolean => isUrl(text) && new URL(text).origin === text;

export const secretKeyBytes = 32;

/** 64 hexadecimal digits, or Base64 in either alphabet. */
export const bytesOf = (text: string): Uint8Array => {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  return new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64'));
};
