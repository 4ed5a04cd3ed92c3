/** As many as are asked for while an answer lives, in a busy minute; twice as many are known at the most. */
const knownMax = 8_192;

/** FNV-1a in 30 bits, which take no memory of their own. Two keys of one number only let one of them in sooner. */
function numberOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 2;
}

/** Tells those who come again from those who come once, and forgets the oldest. */
export function createDoorkeeper(): { readonly comesAgain: (key: string) => boolean } {
  let recent = new Set<number>();
  let former = new Set<number>();
  return {
    comesAgain: (key) => {
      const number = numberOf(key);
      if (recent.has(number) || former.has(number)) return true;
      if (recent.size >= knownMax) {
        former = recent;
        recent = new Set();
      }
      recent.add(number);
      return false;
    },
  };
}
