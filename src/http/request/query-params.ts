import { z } from 'zod';
import { isCleanText } from '../../kernel/text-rules.ts';

/**
 * Parameters come as text. Each builder gives a schema from the text as sent (absent when blank) to its value, and says
 * by `meta` how the OpenAPI document shows it.
 */
const decimal = /^\d+$/;

const sentText = z.string().refine(isCleanText, { error: 'holds a character that is not allowed' });

interface SizeOptions {
  readonly fallback: number;
  readonly min?: number;
  readonly max: number;
}

const sizeText = (min: number, max: number) =>
  sentText
    .refine((text) => decimal.test(text) && Number(text) >= min, { error: `must be a whole number, ${min} or more` })
    .transform((text) => Math.min(Number(text), max));

/** A size (`limit`, `count` …): above its maximum it is clamped, never refused. */
export const sizeParam = ({ fallback, min = 1, max }: SizeOptions) =>
  sizeText(min, max)
    .default(fallback)
    .meta({ schema: { type: 'integer', minimum: min, maximum: max, default: fallback } });

/** A size without a default: what is not sent is null. */
export const clampedParam = ({ min = 1, max }: Omit<SizeOptions, 'fallback'>) =>
  sizeText(min, max)
    .nullable()
    .default(null)
    .meta({ schema: { type: 'integer', minimum: min, maximum: max } });

/** A whole number that is refused when out of range. */
export const integerParam = ({ min, max }: { readonly min: number; readonly max: number }) =>
  sentText
    .refine((text) => decimal.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number, ${min} to ${max}`,
    })
    .transform(Number)
    .nullable()
    .default(null)
    .meta({ schema: { type: 'integer', minimum: min, maximum: max } });

const placeText = (min: number) =>
  sentText
    .refine((text) => decimal.test(text) && Number(text) >= min, { error: `must be a whole number, ${min} or more` })
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER)); // past every end just the same

export const pageParam = placeText(1)
  .default(1)
  .meta({ schema: { type: 'integer', minimum: 1, default: 1 } });

/** Where in a text something begins. */
export const offsetParam = placeText(0)
  .nullable()
  .default(null)
  .meta({ schema: { type: 'integer', minimum: 0 } });

const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const sentTruth = sentText
  .refine((text) => truth.has(text.toLowerCase()), { error: 'must be true, false, 1 or 0' })
  .transform((text) => truth.get(text.toLowerCase()) ?? false);

/** Both when it is not sent. */
export const eitherParam = sentTruth
  .nullable()
  .default(null)
  .meta({ schema: { type: 'boolean' } });

export const booleanParam = (fallback = false) =>
  sentTruth.default(fallback).meta({ schema: { type: 'boolean', default: fallback } });

export const enumParam = <const Values extends readonly string[]>(values: Values) =>
  z
    .enum(values)
    .nullable()
    .default(null)
    .meta({ schema: { type: 'string', enum: values } });

/** Several values with commas between them. */
export const enumListParam = <const Values extends readonly string[]>(values: Values) =>
  sentText
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(values)))
    .default([])
    .meta({ schema: { type: 'string', description: `Any of ${values.join(', ')}, with commas between them.` } });

export const textParam = (charsMax: number) =>
  sentText
    .refine((text) => [...text].length <= charsMax, { error: `must have at most ${charsMax} characters` })
    .nullable()
    .default(null)
    .meta({ schema: { type: 'string', maxLength: charsMax } });

/** A part of a text: what is longer than any text is in none, and no reason to refuse it. */
export const partParam = sentText
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string' } });

/** What cannot be left out; with nothing but blanks it is. */
export const requiredParam = sentText
  .refine((text) => text.trim() !== '', { params: { isMissing: true } })
  .meta({ schema: { type: 'string' } });

/** What somebody typed, without the blanks around it: it cannot be left out, and with nothing but blanks it is. */
export const typedParam = (charsMax: number) =>
  sentText
    .transform((text) => text.trim())
    .refine((text) => [...text].length <= charsMax, { error: `must have at most ${charsMax} characters` })
    .meta({ schema: { type: 'string', minLength: 1, maxLength: charsMax } });

/** Names an entity: what names none is not found, however long it is. */
export const identifierParam = sentText
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string' } });

/** Parsed by the handler, which knows the time. */
export const dateParam = sentText
  .nullable()
  .default(null)
  .meta({
    schema: { type: 'string', description: 'A date, a date-time with a zone, or a number followed by d, w, m or y.' },
  });

/** Parsed by the handler, which knows the time. */
export const asOfParam = sentText
  .nullable()
  .default(null)
  .meta({
    schema: {
      type: 'string',
      description:
        'A day or a date-time with a zone, not in the future: what was recorded then. A day stands for its end.',
    },
  });
/** Parsed by the handler, as other dates are. */
export const dayParam = sentText
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string', format: 'date' } });

/** Of any length: what is no cursor of this feed is `invalid_cursor`, not a matter of form. */
export const cursorParam = sentText
  .nullable()
  .default(null)
  .meta({ schema: { type: 'string' } });
