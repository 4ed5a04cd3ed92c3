const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length} characters)` : text;
};

/** Whether an object may have a key that is not expected of it, by where it is. */
export type MayHave = (path: string) => boolean;

/**
 * Where the actual value first differs from the expected one, in one line; null when it does not. An actual object has no
 * more keys than are expected of it, but for those that it may have; an array has no more items.
 */
export const firstDifference = (expected: unknown, actual: unknown, mayHave: MayHave, path = ''): string | null => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
      const difference = firstDifference(expected[index], actual[index], mayHave, `${path}[${index}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (isObject(expected) && isObject(actual)) {
    const surplus = Object.keys(actual).find((key) => !Object.hasOwn(expected, key) && !mayHave(`${path}.${key}`));
    if (surplus !== undefined) return `${path}.${surplus} is ${shown(actual[surplus])}, of which nothing is expected`;
    for (const key of Object.keys(expected)) {
      const difference = firstDifference(expected[key], actual[key], mayHave, `${path}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  return Object.is(expected, actual) ? null : `${path} is ${shown(actual)}, expected ${shown(expected)}`;
};
