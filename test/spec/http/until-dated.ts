import { eventually } from '../eventually.ts';
import { parseAtom } from '../forms/parse-atom.ts';
import type { HttpAnswer } from './http-service.ts';

/** The feed as soon as it tells its own date: before that, more of the same second may come. */
export const untilDated = async (path: string, look: (path: string) => Promise<HttpAnswer>): Promise<HttpAnswer> => {
  let answer = await look(path);
  const isDated = ({ headers, text }: HttpAnswer): boolean =>
    headers.get('last-modified') === new Date(parseAtom(text).updated).toUTCString();
  await eventually(`${path} tells its date`, async () => isDated(answer) || isDated((answer = await look(path))), {
    everyMs: 50,
  });
  return answer;
};
