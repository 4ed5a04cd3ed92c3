import { versionKey } from '../../kernel/version/version-key.ts';
import { versionName } from '../../kernel/version/versions.ts';

/** Keys of versions begin with a digit, so this puts a text below all of them. */
const unparsed = '!';

/** By version; a text that holds none can still be found as it is. */
export const placeOfText = (text: string): string => versionKey(text) ?? `${unparsed}${text.trim()}`;

export const isVersionPlace = (place: string): boolean => !place.startsWith(unparsed);

/** Where a release is found by its version, and the name before it. */
export const versionPlace = (version: string | undefined): { readonly name: string; readonly place: string | null } =>
  version === undefined ? { name: '', place: null } : { name: versionName(version), place: placeOfText(version) };
