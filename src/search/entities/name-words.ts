/** A run of letters, marks and digits, cut where lower case or a digit meets upper case: `useTransition` is two words. */
const word = /[\p{Lu}\p{Lt}]*[^\P{L}\p{Lu}\p{Lt}\p{Lo}]+[\p{M}\p{N}]*|[\p{Lu}\p{Lt}\p{Lo}\p{M}\p{N}]+/gu;

/** The same of ASCII, which most names are and which is cut ten times as fast so. */
const asciiWord = /[A-Z]*[a-z]+[0-9]*|[A-Z0-9]+/g;
const onlyAscii = /^[\0-\x7f]*$/;

/** The words that a name is made of, in lower case; a match begins at one of them. */
export const nameWords = (name: string): readonly string[] => {
  const words = onlyAscii.test(name) ? name.match(asciiWord) : name.normalize('NFKC').match(word);
  return (words ?? []).map((each) => each.toLowerCase());
};
