/** FNV-1a over the UTF-16 units of the key, then over the partitions. It must never change: it says where a key lies. */
export function partitionOfKey(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 15; // the low bits of FNV alone are poor
  return (hash >>> 0) % partitions;
}
