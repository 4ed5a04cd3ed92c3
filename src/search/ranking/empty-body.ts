/** A release whose text says nothing is no answer to any question (contract 7.2). */
const charsMin = 15;
const nothingCharsMax = 120;

const onlyUrl = /^<?https?:\/\/\S+>?$/i;

const version = 'v?\\d+(?:\\.\\d+)+[\\w.+-]*';

/** A line that only says what follows: which version it is, or that these are its changes. */
const onlyHeading = new RegExp(
  `^(?:${version}(?: \\(?\\d{4}-\\d\\d-\\d\\d\\)?)?|(?:full )?change(?:s|d|log| log)|what(?:'|’)?s (?:changed|new)|release notes|notes?)$`,
  'i',
);

/** Of changes that some of are none of. */
const ofKind = [
  'notable|noteworthy|significant|important|meaningful|substantive|relevant|major|real|actual|other|further',
  'user[- ](?:facing|visible)|visible|external|public|functional|behaviou?ral|breaking|api|code|source|runtime',
].join('|');

/** In so many words; `rest` is what stands behind them. */
const noChanges = new RegExp(
  [
    '^(?:note )?(?:',
    '(?:there (?:are|were|have been) |(?:this|the) (?:release|version|update) (?:has|had|contains|includes|introduces|makes|brings) )?',
    `no (?<kind>(?:${ofKind})(?:,? (?:or |and )?(?:${ofKind}))* )?(?:changes?|modifications|differences)`,
    '|nothing (?:(?:has|was|is) )?(?:been )?(?:changed|new|different)',
    ')(?<rest>\\b.*)?$',
  ].join(''),
  'i',
);

/** As it is written when a version is only a number, and nothing else is. */
const onlyNumber = new RegExp(
  [
    '^(?:note )?(?:',
    '(?:this (?:release|version) is )?(?:unchanged|identical)(?: (?:since|from|to) (?:the )?(?:(?:previous|last) (?:release|version)|\\S+))?',
    '|(?:just a |only a )?version bump(?: only)?(?: for (?:package )?\\S+)?',
    '|bump(?:ed)? (?:the )?version(?: (?:number )?(?:to|for) \\S+)?',
    '|no release notes(?: (?:available|provided))?',
    '|(?:a )?maintenance release',
    ')$',
  ].join(''),
  'i',
);

const wordOf = '[^\\s,;()]+';
const determiner = '(?:the|this|these|that|any|your|our) ';

/** Nothing but the release itself, or the one before. */
const nowhereElse = ` (?:in|for|with) (?:this|the) (?:release|version|update)| since (?:the )?${wordOf}(?: (?:release|version))?`;

/** Behind "no changes": what they would be in, which takes a few words; any more tell of something else. */
const restForm = new RegExp(
  [
    '^(?: (?:are|were|was|have been))?(?: (?:made|introduced|included|recorded|listed|documented|noted|here|yet|at all))?',
    '(?<where>(?: (?:in|to|for|since|from|of|on|over|within|between|compared (?:to|with)) ',
    `(?:${determiner})?${wordOf}(?: ${wordOf})?(?: (?:and|or) (?:${determiner})?${wordOf})?)?(?:${nowhereElse})*)`,
    '(?<clauses>(?:\\s*[,;(]|\\s[-–—]+\\s).*)?$',
  ].join(''),
  'i',
);

/** Nowhere in particular. */
const inAllOfIt = new RegExp(`^(?:${nowhereElse})*$`, 'i');

/** All words of sentences that explain why there is a version nevertheless. No change can be told with these alone. */
const explanation = new RegExp(
  `^(?:(?:${[
    'the|a|an|all|its?|this|that|these|is|was|are|were|be|to|for|of|in|with|as|and|so|only|just|purely|other|others|rest|same',
    'packages?|modules?|monorepo|versions?|versioned|numbers?|bump|bumped|(?:re-?)?releas(?:es?|ed)|(?:re)?publish(?:ed)?|tagged',
    'keeps?|kept|stays?|align(?:s|ed)?|match(?:es)?|follows?|sync|synced|step|lockstep|line|together|consistent|consistency|equal|identical',
    'see|link|previous|last',
  ].join('|')})(?: |$))+$`,
  'i',
);

/** Where changes would be: then it tells of one. */
const somethingElse = new RegExp(
  [
    '\\b(?:but|except|however|apart|besides|only|other than|no longer|now|new|instead|when|faster',
    'fix\\w*|add\\w*|remov\\w*|updat\\w*|upgrad\\w*|bump\\w*|improv\\w*|support\\w*|deprecat\\w*|refactor\\w*|renam\\w*|rewr\\w*|crash\\w*)\\b',
  ].join('|'),
  'i',
);

/** Marks of a list or a quotation, and the line under a heading. */
const lineMarks = /^(?:\s*(?:[-*+•]|\d+[.)]|>+|#+)\s+)+|^\s*[-=*_]{3,}\s*$/;

/** In words: without marks, headings, addresses and full stops. What a colon announces is a sentence of its own. */
const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(lineMarks, ''))
    .map((line) => line.replace(/https?:\/\/[^\s)>]+/gi, 'link'))
    .flatMap((line) => line.split(/[.!:]+(?=[\s*_)]|$)/))
    .map((sentence) =>
      sentence
        .replace(/[*_`#>:[\]]+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((sentence) => sentence !== '' && !onlyHeading.test(sentence));

const clausesOf = (text: string): string[] => text.split(/[,;()]|\s[-–—]+\s/).flatMap((clause) => clause.trim() || []);

/** Of which changes there are none; null where that is not what it says. */
function noneOf(sentence: string): 'all' | 'some' | null {
  if (onlyNumber.test(sentence)) return 'some';
  const said = noChanges.exec(sentence)?.groups;
  if (said === undefined) return null;
  const { kind, rest = '' } = said;
  const behind = restForm.exec(rest)?.groups;
  if (behind === undefined) return null;
  const { where = '', clauses = '' } = behind;
  const isExplained = clausesOf(clauses).every((clause) => explanation.test(clause) || noneOf(clause) !== null);
  if (somethingElse.test(where) || !isExplained) return null;
  return kind === undefined && inAllOfIt.test(where) ? 'all' : 'some';
}

/** Each sentence by itself; only none at all may be explained by others, as beside none of a kind there may be some of another. */
function saysNothingChanged([first, ...others]: readonly string[]): boolean {
  const none = first === undefined ? null : noneOf(first);
  if (none === null) return false;
  return others.every((other) => noneOf(other) !== null || (none === 'all' && explanation.test(other)));
}

export function saysNothing(body: string): boolean {
  const text = body.trim();
  if (text.length < charsMin || onlyUrl.test(text)) return true;
  return text.length < nothingCharsMax && saysNothingChanged(sentencesOf(text));
}
