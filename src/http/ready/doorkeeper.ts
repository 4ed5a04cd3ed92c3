/** As many as are asked for while an answer lives, in a busy minute; twice as many are known at the most. */
const knownMax = 8_192;

/** FNV-1a in 30 bits, which take no memory of their own. Two of one number only let one of them in sooner. */
function numberOf(address: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  }
  return hash >>> 2;
}

/** Tells those who come again from those who come once, and forgets the oldest. */
export function createDoorkeeper(): { readonly comesAgain: (address: string) => boolean } {
  let recent = new Set<number>();
  let former = new Set<number>();
  return {
    comesAgain: (address) => {
      const number = numberOf(address);
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
