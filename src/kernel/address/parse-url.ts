/**
 * The address, or null for what is none. Not by way of `URL.canParse`: once it is compiled, Node 20 takes texts with
 * characters such as ü for broken UTF-8 and calls their addresses invalid.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

export const isUrl = (text: string, base?: string | URL): boolean => parseUrl(text, base) !== null;
