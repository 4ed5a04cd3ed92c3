import { type ZodType, z } from 'zod';

interface Property {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Property[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly $ref?: string;
}

export interface BadBody {
  readonly what: string;
  readonly body: object;
  /** A name of any length is one of something that is not there. */
  readonly mayBeNotFound?: boolean;
}

const samples: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  number: 0.5,
  string: 'a text',
  array: [],
  object: {},
};

const longText = 'x'.repeat(10_000);

const alternativesOf = (property: Property): Property[] => property.anyOf?.flatMap(alternativesOf) ?? [property];

const typesOf = ({ type, enum: values, const: value, $ref }: Property): string[] => {
  if (type !== undefined) return [type].flat();
  if ($ref !== undefined) return ['object'];
  return (values ?? [value]).map((each) => (each === null ? 'null' : typeof each));
};

/** Whatever the schema of a body says of itself, turned into bodies that break it in one place each. */
export function badBodies(schema: ZodType, valid: Readonly<Record<string, unknown>>): BadBody[] {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const properties = (json.properties ?? {}) as Record<string, Property>;
  const without = (name: string) => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));

  const ofProperty = ([name, property]: [string, Property]): BadBody[] => {
    const alternatives = alternativesOf(property);
    const types = alternatives.flatMap(typesOf);
    if (types.includes('undefined')) return []; // takes anything
    const put = (what: string, value: unknown, more = {}): BadBody => ({
      what: `${name}: ${what}`,
      body: { ...valid, [name]: value },
      ...more,
    });
    const text = alternatives.find((each) => typesOf(each).includes('string'));
    const list = alternatives.find(({ maxItems }) => maxItems !== undefined);
    const item = (valid[name] as readonly unknown[] | undefined)?.[0] ?? 'x';
    const isBound = [text?.maxLength, text?.pattern, text?.enum].some((bound) => bound !== undefined);
    return [
      ...Object.entries(samples)
        .filter(([type]) => !types.includes(type))
        .map(([type, sample]) => put(type, sample)),
      ...(text === undefined
        ? []
        : [
            put('U+0000', 'a\0b'),
            put('a lone surrogate', 'a\ud800b'),
            ...((text.maxLength ?? 0) >= longText.length
              ? []
              : [put('10,000 characters', longText, { mayBeNotFound: !isBound })]),
          ]),
      ...(list === undefined
        ? []
        : [
            put(
              'too many',
              Array.from({ length: list.maxItems! + 1 }, () => item),
            ),
          ]),
    ];
  };

  return [
    { what: 'an unknown key', body: { ...valid, colour: 'red' } },
    { what: 'a key with U+0000', body: { ...valid, 'a\0': 1 } },
    {
      what: 'a key of every object',
      body: JSON.parse(`{"__proto__": {}, ${JSON.stringify(valid).slice(1)}`) as object,
    },
    ...(json.required ?? []).map((name) => ({ what: `no ${name}`, body: without(name) })),
    ...Object.entries(properties).flatMap(ofProperty),
  ];
}
