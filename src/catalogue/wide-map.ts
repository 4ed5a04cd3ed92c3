export interface WideMap<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
}

const partsCount = 64;

/**
 * A map of so many entries that it would take milliseconds to move them all whenever it has doubled, and as long once more
 * for each other map with the same keys. Split by the last letter of a key, the parts grow one at a time. Looking into it
 * takes longer: what every read looks into is a plain map.
 */
export const createWideMap = <Value>(): WideMap<Value> => {
  const parts = Array.from({ length: partsCount }, () => new Map<string, Value>());
  const partOf = (key: string) => parts[key.charCodeAt(key.length - 1) % partsCount || 0]!;
  return {
    get: (key) => partOf(key).get(key),
    set: (key, value) => {
      partOf(key).set(key, value);
    },
    delete: (key) => {
      partOf(key).delete(key);
    },
  };
};
