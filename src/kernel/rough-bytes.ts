/** About how many bytes a JSON value takes, without the cost of writing it out: for bounds, not for accounts. */
export function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += roughBytes(item) + 1;
  else for (const key in value) bytes += key.length + 4 + roughBytes((value as Record<string, unknown>)[key]);
  return bytes;
}
