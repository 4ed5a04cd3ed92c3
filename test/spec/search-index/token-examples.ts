export interface TokenExample {
  readonly text: string;
  /** As it is typed: parted at blanks, every part is required. */
  readonly query: string;
  readonly isPrefix?: boolean;
  readonly matches: boolean;
}

const found = (text: string, ...queries: readonly string[]): TokenExample[] =>
  queries.map((query) => ({ text, query, matches: true }));
const missed = (text: string, ...queries: readonly string[]): TokenExample[] =>
  queries.map((query) => ({ text, query, matches: false }));
const begun = (text: string, matches: boolean, ...queries: readonly string[]): TokenExample[] =>
  queries.map((query) => ({ text, query, isPrefix: true, matches }));

/** What a text is found by, and what not. Every adapter passes all of it. */
export const tokenExamples: readonly TokenExample[] = [
  // every token, in any order and case
  ...found('Fixed a memory leak in the parser', 'memory', 'PARSER Memory', 'fixed leak in'),
  ...missed('Fixed a memory leak in the parser', 'memory lexer', 'leaks', 'par'),
  ...found('Fixed: (memory), [leak]!', 'fixed memory leak', '"memory"', 'memory,', '(leak)'),

  // repositories, packages, paths
  ...found('moved to owner/repo', 'owner/repo', 'Owner/Repo', 'owner', 'repo'),
  ...missed('moved to owner/repo', 'owner/rep', 'repo/owner', 'other/repo'),
  ...missed('owner of a repo', 'owner/repo'),
  ...found('needs @scope/pkg-name', '@scope/pkg-name', 'scope/pkg-name', '@scope', 'scope', 'pkg-name', 'pkg', 'name'),
  ...missed('needs scope/pkg', '@scope/pkg', '@scope'),
  ...found('see src/adapters/index.ts', 'src/adapters/index.ts', 'index.ts', 'adapters', 'index', 'ts'),
  ...missed('see src/adapters/index.ts', 'src/index.ts'),
  ...found('see https://example.com/docs/guide.', 'example.com/docs/guide', 'example.com', 'guide', 'https'),

  // versions
  ...found('Release v1.2.3', 'v1.2.3', 'V1.2.3', '1.2.3', '1.2', 'v1.2', 'v1', '1'),
  ...missed('Release v1.2.3', '2.3', '1.2.33', '1.3', 'v2', '3'),
  ...found('Release 1.2.3', 'v1.2.3', '1.2'),
  ...found('19.0.0-rc.1 is out', '19.0.0-rc.1', '19.0.0', '19.0', '19', 'rc', 'v19'),
  ...found('on V8 and IPv6', 'v8', 'ipv6'),
  ...missed('8 engines', 'v8'),
  ...found('pkg@2.0.1', 'pkg@2.0.1', 'pkg', '2.0.1'),

  // names of programs
  ...found('useTransition is stable', 'useTransition', 'usetransition', 'transition', 'use', 'USETRANSITION'),
  ...missed('useTransition is stable', 'ransition', 'setransition'),
  ...missed('use a transition', 'useTransition'),
  ...found('parseHTMLTree throws', 'parse', 'html', 'tree', 'parsehtmltree'),
  ...found('max_old_space_size', 'max_old_space_size', 'old', 'space', 'size'),
  ...found('MAX_RETRIES is 5', 'max_retries', 'retries', '5'),
  ...found('react-dom and react_dom', 'react-dom', 'react', 'dom', 'react_dom'),
  ...missed('react dom', 'react-dom'),
  ...found('runs on Node.js.', 'node.js', 'Node', 'js', 'node.js.'),
  ...found('C++ and C# and F# on .NET', 'c++', 'C#', 'f#', '.net', 'net', 'c'),
  ...missed('plain C', 'c++', 'c#'),
  ...found('the --watch flag, and -v', '--watch', 'watch', '-v'),
  ...missed('I watch', '--watch'),
  ...found('`$state` and std::vector', '$state', 'state', 'std::vector', 'vector'),

  // numbers
  ...found('Closes #123, in 45 ms', '#123', '123', '45', '45 ms'),
  ...missed('Closes #1234', '#123', '123'),
  ...missed('123 tests', '#123'),

  // prefixes
  ...begun('useTransition is stable', true, 'usetr', 'trans', 'stable', 'us st', 's', 'u s'),
  ...begun('useTransition is stable', false, 'ransition', 'useX', 'a'),
  ...begun('react-dom 19.1.2', true, 'react-d', 'rea', '19.1', 'v19.1'),
  ...begun('owner/repo', true, 'owner/re', 'own'),
  ...begun('owner/repo', false, '@', 'epo'),

  // other scripts
  ...found('Café Ångström naïve', 'cafe', 'CAFÉ', 'angstrom', 'naive'),
  ...found('cafe', 'café', 'cafe\u0301'),
  ...found('ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'Οδυσσεύς'),
  ...begun('οδυσσεύς', true, 'οδυσ', 'ΟΔΥΣΣΕΥΣ'),
  ...found('Исправлена ошибка', 'исправлена', 'ОШИБКА'),
  ...found('修复了内存泄漏', '内存', '修复', '泄漏', '内存泄漏', '存'),
  ...missed('修复了内存泄漏', '存内', '性能'),
  ...found('Reactを修正しました', 'react', '修正', 'を修正'),
  ...found('메모리 누수를 수정했습니다', '메모리', '누수', '수정'),
  ...found('แก้ไขหน่วยความจำ', 'หน่วย'),
  ...found('إصلاح تسرب الذاكرة', 'الذاكرة', 'تسرب'),
  ...found('תיקון דליפת זיכרון', 'זיכרון'),
  ...found('ＦＵＬＬ width', 'full'),
  ...found('Ship it 🚀 now 👩‍💻 in 🇩🇪', '🚀', '🇩🇪', '🚀 now', '💻'),
  ...missed('Ship it 🚀', '🎉', '🇩🇪'),
];
