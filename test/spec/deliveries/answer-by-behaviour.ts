import { type AnswerTo, type ReceivedRequest, sendAnswer } from '../webhook-receiver.ts';
import type { Behaviour, Failure } from './behaviour.ts';

const slowMs = 150;
const taken = { status: 200, body: 'taken' };

function answerOf(failure: Failure, { response }: ReceivedRequest): ReturnType<AnswerTo> {
  if (failure === 'error') return { status: 500, body: 'not now' };
  if (failure === 'limited') return { status: 429, headers: { 'retry-after': '2' }, body: 'too much' };
  response.destroy();
  return null;
}

/** Answers each request as the receiver of its path behaves towards the version that it is about. */
export function answerByBehaviour(behaviourOf: (path: string, version: string) => Behaviour): AnswerTo {
  const attempts = new Map<string, number>();
  return (request) => {
    const { path, eventId, body } = request;
    const pair = `${path} ${eventId}`;
    const attempt = (attempts.get(pair) ?? 0) + 1;
    attempts.set(pair, attempt);
    const { release } = JSON.parse(body) as { release: { version: string } };
    const behaviour = behaviourOf(path, release.version);
    switch (behaviour.kind) {
      case 'accepts':
        return taken;
      case 'slow':
        setTimeout(() => sendAnswer(request, taken), slowMs);
        return null;
      case 'fails':
        return { status: 500, body: 'never' };
      case 'refuses':
        return { status: 404, body: 'not here' };
      case 'recovers': {
        const failure = behaviour.failures[attempt - 1];
        return failure === undefined ? taken : answerOf(failure, request);
      }
    }
  };
}
