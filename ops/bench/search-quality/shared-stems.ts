/** Words that are in every text, so that sharing them helps no search. Shorter ones are not looked at anyway. */
const stopWords = new Set(
  (
    'about after again also although another because been before being between both cannot come could does done during each ' +
    'even ever every from have here into itself just like many more most much must never none nothing once only other over ' +
    'same should since some still such than that their them then there these they this those though through under until very ' +
    'were what when where which while whole whose will with within without would your'
  ).split(' '),
);

const wordLettersMin = 4;
/** `muted` and `muting` are one word. */
const stemLettersMin = 3;
/** A shorter stem begins too many words that have nothing to do with it. */
const prefixLettersMin = 4;
const endings = /(?:ations?|ments?|ings?|ions?|ables?|ness|ed|er|ers|es|ly|s|e)$/;

/** Cuts endings only as long as a word remains. */
const stemOf = (word: string): string => {
  const cut = word.replace(endings, '');
  return cut.length >= stemLettersMin ? cut : word;
};

/** A name like `hideCursor` is searched for by its parts, too. */
const partsOf = (text: string): string[] =>
  [text, text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')].flatMap((each) => each.toLowerCase().split(/[^\p{L}]+/u));

function stemsOf(text: string): Set<string> {
  const words = partsOf(text).filter((word) => word.length >= wordLettersMin && !stopWords.has(word));
  return new Set(words.map(stemOf));
}

const areAkin = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= prefixLettersMin && (a.startsWith(b) || b.startsWith(a)));

/** The stems of a query that are, begin, or are begun by, one in the text. Those of `besides`, a package's name, do not count. */
export function sharedStems(query: string, text: string, besides: string): string[] {
  const exempt = stemsOf(besides);
  const inText = [...stemsOf(text)];
  return [...stemsOf(query)].filter((stem) => !exempt.has(stem) && inText.some((each) => areAkin(stem, each)));
}
