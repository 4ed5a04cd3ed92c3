import type { Mistake } from '../mistake.ts';

const counts = 'src/http/rate-limits/sliding-counts.ts';
const exchange = 'src/http/rate-limits/count-exchange.ts';
const told = 'src/records/request-counts.ts';
const ofCounts = ['test/http/rate-limits/sliding-counts.test.ts'];
const ofExchange = ['test/http/rate-limits/count-exchange.test.ts'];
const ofTold = ['test/records/request-counts.test.ts'];
const overHttp = ['test/http/rate-limits.test.ts'];

/** Limits of requests: what is counted for how long, by whom, and how often. */
export const rateLimitMistakes: readonly Mistake[] = [
  {
    name: 'rate-window-does-not-slide',
    file: counts,
    text: 'if (passed >= windowSeconds || passed <= -windowSeconds) clear(place);',
    replacement: 'if (passed > 0 || passed <= -windowSeconds) clear(place);',
    wrong: 'Whoever sends a request a second is never refused: each second begins anew.',
    tests: ofCounts,
  },
  {
    name: 'rate-window-keeps-what-is-over',
    file: counts,
    text: 'sums[place]! -= perSecond[slot]!;',
    replacement: '',
    wrong: 'Whoever was refused once stays refused until he is quiet for a whole minute.',
    tests: ofCounts,
  },
  {
    name: 'refused-client-driven-out',
    file: counts,
    text: 'if (sums[least]! < limit) clients[least] = client + 1;',
    replacement: 'clients[least] = client + 1;',
    wrong: 'Whoever is refused sends requests from other addresses until his own is forgotten.',
    tests: ofCounts,
  },
  {
    name: 'place-taken-over-without-its-counts',
    file: counts,
    text: 'if (sums[least]! < limit) clients[least] = client + 1;',
    replacement: 'if (sums[least]! < limit) { clients[least] = client + 1; clear(least); }',
    wrong: 'A client that is driven out begins anew, as often as it is driven out.',
    tests: ofCounts,
  },
  {
    name: 'newcomer-drives-out-any-client',
    file: counts,
    text: 'if (sums[place]! < sums[least]!) least = place;',
    replacement: '',
    wrong: 'A newcomer takes the place of somebody while others are empty, and is counted too high.',
    tests: ofCounts,
  },
  {
    name: 'old-counts-heard-as-new',
    file: counts,
    text: 'const second = Math.floor((nowMs - Math.max(0, ageMs)) / 1_000);',
    replacement: 'const second = Math.floor((nowMs - Math.max(0, ageMs * 0)) / 1_000);',
    wrong: 'A process that asks again after a pause refuses clients for a minute longer than the others.',
    tests: ofCounts,
  },
  {
    name: 'counts-heard-twice',
    file: told,
    text: '.filter((doc) => doc.turn > (tellers.get(doc.process)?.turn ?? 0))',
    replacement: '',
    wrong: 'What another process counted is counted again with every look: clients are refused far too early.',
    tests: ofTold,
  },
  {
    name: 'last-turn-heard-not-remembered',
    file: told,
    text: '.sort((a, b) => a.turn - b.turn)',
    replacement: '',
    wrong: 'What was told within one millisecond is read in any order, and some of it is counted twice.',
    tests: ofTold,
  },
  {
    name: 'own-counts-heard',
    file: told,
    text: '.filter((doc) => doc.process !== process)',
    replacement: '',
    wrong: 'Every request is counted twice half a second later.',
    tests: ofTold,
  },
  {
    name: 'counts-told-again',
    file: exchange,
    text: 'for (const { policy, client } of told) waiting.get(policy)!.delete(client);',
    replacement: '',
    wrong: 'Other processes hear of every request again and again.',
    tests: ofExchange,
  },
  {
    name: 'refused-requests-counted-elsewhere',
    file: 'src/http/middleware/rate-limit.ts',
    text: 'else exchange.note(policy, number);',
    replacement: 'exchange.note(policy, number);',
    wrong: 'Whoever goes on asking while he is refused is refused by the other processes for ever.',
    tests: ['test/http/rate-limits/rate-limit.test.ts'],
  },
  {
    name: 'anonymous-requests-counted-twice',
    file: 'src/http/middleware/identify-caller.ts',
    text: 'authorization === undefined ? refusalOf(ctx.req) : countFor(caller, ctx)',
    replacement: 'countFor(caller, ctx)',
    wrong: 'Clients without a credential have half of the requests that they are promised.',
    tests: overHttp,
  },
  {
    name: 'bad-credential-not-counted',
    file: 'src/http/middleware/identify-caller.ts',
    text: 'authorization === undefined ? refusalOf(ctx.req) : countFor(caller, ctx)',
    replacement: "caller.kind !== 'token' ? refusalOf(ctx.req) : countFor(caller, ctx)",
    wrong: 'Whoever sends nonsense as a credential has no limit.',
    tests: overHttp,
  },
  {
    name: 'forwarded-address-believed-to-its-beginning',
    file: 'src/http/rate-limits/client-address.ts',
    text: 'forwarded.pop()',
    replacement: 'forwarded.shift()',
    wrong: 'Behind a proxy everybody can name an address of his choice, and has no limit.',
    tests: ['test/http/rate-limits/client-address.test.ts'],
  },
  {
    name: 'long-addresses-remembered',
    file: 'src/http/rate-limits/remembered.ts',
    text: '    if (text.length > rememberedLengthMax) return compute(text);\n',
    replacement: '',
    wrong: 'Whoever is refused at long addresses, each another one, fills the memory with them: 8,192 of 16 kB.',
    tests: ['test/http/rate-limits/remembered.test.ts'],
  },
  {
    name: 'strange-addresses-not-refused',
    file: 'src/http/app.ts',
    text: '    if (refusal !== null) refusals.set(request, refusal);\n',
    replacement: '',
    wrong: 'Whoever writes `#` behind an address has no limit.',
    tests: overHttp,
  },
  {
    name: 'strange-addresses-all-refused',
    file: 'src/http/listener.ts',
    text: 'isPlainPath(url) && hasRoute(method, url)',
    replacement: '!isPlainPath(url) || hasRoute(method, url)',
    wrong: 'Beyond its limit a client is told to ask again for what is not there.',
    tests: overHttp,
  },
  {
    name: 'refused-requests-not-measured',
    file: 'src/http/listener.ts',
    text: 'meter.end(noRoute, 429, begunMs);',
    replacement: '',
    wrong: 'In a flood the number of answers that is told falls, as if nobody asked.',
    tests: overHttp,
  },
];
