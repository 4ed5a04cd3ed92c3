/** A release whose text says nothing is no answer to any question (contract 7.2). */
const charsMin = 15;
const nothingCharsMax = 120;

const onlyUrl = /^<?https?:\/\/\S+>?$/i;

/** As it is written when a version is only a number, and nothing else is. */
const nothingChanged = new RegExp(
  [
    '^(?:note )?(?:there (?:are|were|have been) |this release (?:has|contains) )?(?:',
    'no (?:(?:notable|user[- ]facing|functional|other|significant|code|api|breaking|visible) )*changes?(?<rest>\\b.*)?',
    '|nothing (?:has )?changed(?: [\\w@/.-]*)?',
    '|(?:just a |only a )?version bump(?: only)?(?: for (?:package )?\\S+)?',
    '|bump(?:ed)? (?:the )?version(?: (?:number )?(?:to|for) \\S+)?',
    '|no release notes(?: (?:available|provided))?',
    '|(?:a )?maintenance release',
    ')$',
  ].join(''),
  'i',
);

/** Behind it: then something did. */
const somethingElse = /\b(?:but|except|however|apart|besides|only|fix\w*|add\w*|remov\w*|updat\w*)\b/i;

/** In words: without marks, headings and the full stop. */
const plain = (text: string): string =>
  text
    .replace(/[*_`#>:!]+|\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export function saysNothing(body: string): boolean {
  const text = body.trim();
  if (text.length < charsMin || onlyUrl.test(text)) return true;
  if (text.length >= nothingCharsMax) return false;
  const said = nothingChanged.exec(plain(text));
  return said !== null && !somethingElse.test(said.groups?.['rest'] ?? '');
}
