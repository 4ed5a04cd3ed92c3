import type { Mistake } from '../mistake.ts';

const door = 'src/adapters/node-http';
const tests = ['test/adapters/node-http/one-answer.test.ts'];

/** The door: one answer to a request, in its turn, and no more read than is needed. */
export const doorMistakes: readonly Mistake[] = [
  {
    name: 'broken-connection-told-of-its-first-request',
    file: 'src/http/socket-watch.ts',
    text: '      known.request = request;\n      known.response = response;\n',
    replacement: '',
    wrong: 'An answer that could not be sent is not in the log, because one before it on the same connection was.',
    tests: ['test/http/socket-watch.test.ts'],
  },
  {
    name: 'connection-that-ends-told-as-a-loss',
    file: 'src/http/socket-watch.ts',
    text: 'if (!served.response.writableFinished) onLost',
    replacement: 'onLost',
    wrong: 'Each client that goes away after its answer is a warning in the log.',
    tests: ['test/http/socket-watch.test.ts'],
  },
  {
    name: 'read-taken-by-a-later-pattern',
    file: 'src/http/find-read.ts',
    text: 'hasParameter(headOf(patternOf(layer))) || headOf(patternOf(layer)) === head',
    replacement: 'headOf(patternOf(layer)) === head',
    wrong:
      'Pages of the web whose path begins with a name are found the long way, or not by the pattern that comes first.',
    tests: ['test/http/find-read.test.ts'],
  },
  {
    name: 'read-without-its-parameters',
    file: 'src/http/find-read.ts',
    text: 'params: layer.params(path, layer.captures(path))',
    replacement: 'params: layer.params(path, [])',
    wrong: 'Every read of one thing answers that there is no such route.',
    tests: ['test/http/find-read.test.ts'],
  },
  {
    name: 'connection-outlives-an-early-answer',
    file: `${door}/closing-response.ts`,
    text: "if (isArriving(this.req)) this.setHeader('Connection', 'close');",
    replacement: '',
    wrong: 'The rest of a refused body is taken for the next request, which gets a second answer.',
    tests,
  },
  {
    name: 'refused-body-read-to-its-end',
    file: `${door}/end-connection.ts`,
    text: 'setImmediate(() => socket.pause());',
    replacement: '',
    wrong: 'Whoever is refused can still make the service read for a second, as fast as it can.',
    tests,
  },
  {
    name: 'refused-client-reset-before-it-reads',
    file: `${door}/client-errors.ts`,
    text: 'if (exchanges.of(socket).some(({ request }) => isArriving(request))) end(socket);',
    replacement: 'if (exchanges.of(socket).length < 0) end(socket);',
    wrong: 'A client in the middle of a large body sees a reset connection instead of the answer.',
    tests,
  },
  {
    name: 'refusal-before-the-answers-owed',
    file: `${door}/client-errors.ts`,
    text: "else last.response.once('close', answerSocket);",
    replacement: 'else answerSocket();',
    wrong: 'The refusal of garbage is taken for the answer to the good request before it.',
    tests,
  },
  {
    name: 'request-behind-a-refused-one-done',
    file: `${door}/http-connections.ts`,
    text: 'if (clientErrors.isEnded(request.socket)) return;',
    replacement: '',
    wrong: 'A write is done whose answer nobody can get.',
    tests,
  },
  {
    name: 'request-behind-the-last-one-done',
    file: `${door}/http-connections.ts`,
    text: 'if (requests > limits.requestsPerConnectionMax) return;',
    replacement: '',
    wrong: 'A write is done whose answer nobody can get, because the connection ends with the answer before it.',
    tests: ['test/adapters/node-http/serve-http.test.ts'],
  },
  {
    name: 'timing-told-to-anybody',
    file: 'src/http/middleware/identify-caller.ts',
    text: 'const text = isAdmin(caller) ? timing.text() : null;',
    replacement: 'const text = isAdmin(caller) || true ? timing.text() : null;',
    wrong: 'Everybody can measure how long a credential takes to be looked up.',
    tests: ['test/http/server-timing.test.ts'],
  },
  {
    name: 'body-asked-for-of-whom-is-refused',
    file: `${door}/http-connections.ts`,
    text: `request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });`,
    replacement: 'response.writeContinue();',
    wrong: 'A client without a credential is invited to send its body first.',
    tests: ['test/http/door.test.ts'],
  },
  {
    name: 'faults-told-to-any-origin',
    file: 'src/compose/http-server.ts',
    text: '...originHeaders(request?.headers.origin),',
    replacement: '...originHeaders(undefined),',
    wrong: 'A page of a trusted origin cannot see why its request was refused.',
    tests: ['test/http/door.test.ts'],
  },
  {
    name: 'further-words-ignored',
    file: 'src/cli/command-line.ts',
    text: 'words[command?.wordsMax ?? 0]',
    replacement: 'words[command?.wordsMax ?? Number.POSITIVE_INFINITY]',
    wrong: 'A slip in the command line starts a service that was not meant.',
    tests: ['test/cli/command-line.test.ts'],
  },
  {
    name: 'lease-counted-from-when-it-was-asked-for',
    file: 'src/adapters/mongodb/leases.ts',
    text: 'const waitedShareMax = 1 / 4;',
    replacement: 'const waitedShareMax = Number.POSITIVE_INFINITY;',
    wrong:
      'A lease that had to wait for a transaction has run out when its holder gets it, and another one has it too.',
    tests: ['test/adapters/mongodb/abandoned-transactions.test.ts'],
    server: 'mongodb',
  },
];
