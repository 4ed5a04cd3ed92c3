const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length} characters)` : text;
};

/**
 * Where the actual value first differs from the expected one, in one line; null when it does not. An actual object may
 * have more keys than are expected of it; an array may not have more items.
 */
export const firstDifference = (expected: unknown, actual: unknown, path = ''): string | null => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
      const difference = firstDifference(expected[index], actual[index], `${path}[${index}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of Object.keys(expected)) {
      const difference = firstDifference(expected[key], actual[key], `${path}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  return Object.is(expected, actual) ? null : `${path} is ${shown(actual)}, expected ${shown(expected)}`;
};
