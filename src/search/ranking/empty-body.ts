/** A release whose text says nothing is no answer to any question (contract 7.2). */
const charsMin = 15;
const nothingCharsMax = 120;

const onlyUrl = /^<?https?:\/\/\S+>?$/i;

const version = 'v?\\d+(?:\\.\\d+)+[\\w.+-]*';

/** A line that only says what follows: which version it is, or that these are its changes. */
const onlyHeading = new RegExp(
  `^(?:${version}(?: \\(?\\d{4}-\\d\\d-\\d\\d\\)?)?|change(?:s|d|log| log)|what(?:'|’)?s (?:changed|new)|release notes|notes?)$`,
  'i',
);

/** Of changes that some of are none of. */
const ofKind = [
  'notable|noteworthy|significant|important|meaningful|substantive|relevant|major|real|actual|other|further',
  'user[- ](?:facing|visible)|visible|external|public|functional|behaviou?ral|breaking|api|code|source|runtime',
].join('|');

/** As it is written when a version is only a number, and nothing else is. */
const nothingChanged = new RegExp(
  [
    '^(?:note )?(?:',
    '(?:there (?:are|were|have been) |(?:this|the) (?:release|version|update) (?:has|had|contains|includes|introduces|makes|brings) )?',
    `no (?<kind>(?:${ofKind})(?:,? (?:or |and )?(?:${ofKind}))* )?(?:changes?|modifications|differences)(?<rest>\\b.*)?`,
    '|nothing (?:(?:has|was|is) )?(?:been )?(?:changed|new|different)(?<restOfNothing>\\b.*)?',
    '|(?:this (?:release|version) is )?(?:unchanged|identical)(?: (?:since|from|to) (?:the )?(?:(?:previous|last) (?:release|version)|\\S+))?',
    '|(?:just a |only a )?version bump(?: only)?(?: for (?:package )?\\S+)?',
    '|bump(?:ed)? (?:the )?version(?: (?:number )?(?:to|for) \\S+)?',
    '|no release notes(?: (?:available|provided))?',
    '|(?:a )?maintenance release',
    ')$',
  ].join(''),
  'i',
);

/** Behind it: then something did. */
const somethingElse = new RegExp(
  [
    '\\b(?:but|except|however|apart|besides|only|other than|no longer|now|new|instead|when|faster',
    'fix\\w*|add\\w*|remov\\w*|updat\\w*|upgrad\\w*|bump\\w*|improv\\w*|support\\w*|deprecat\\w*|refactor\\w*|renam\\w*|rewr\\w*|crash\\w*)\\b',
  ].join('|'),
  'i',
);

/** Marks of a list or a quotation, and the line under a heading. */
const lineMarks = /^(?:\s*(?:[-*+•]|\d+[.)]|>+|#+)\s+)+|^\s*[-=*_]{3,}\s*$/;

/** In words: without marks, headings and full stops. */
const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(lineMarks, ''))
    .flatMap((line) => line.split(/[.!]+(?=[\s*_)]|$)/))
    .map((sentence) =>
      sentence
        .replace(/[*_`#>:[\]]+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((sentence) => sentence !== '' && !onlyHeading.test(sentence));

/** Whether all of it does: what is behind no changes at all may explain that, behind none of a kind it may be others. */
function saysNothingChanged([first, ...others]: readonly string[]): boolean {
  const said = first === undefined ? null : nothingChanged.exec(first);
  if (said === null) return false;
  const { kind, rest = '', restOfNothing = '' } = said.groups!;
  if (somethingElse.test(rest) || somethingElse.test(restOfNothing)) return false;
  const isOfAll = kind === undefined;
  return others.every((other) => saysNothingChanged([other]) || (isOfAll && !somethingElse.test(other)));
}

export function saysNothing(body: string): boolean {
  const text = body.trim();
  if (text.length < charsMin || onlyUrl.test(text)) return true;
  return text.length < nothingCharsMax && saysNothingChanged(sentencesOf(text));
}
