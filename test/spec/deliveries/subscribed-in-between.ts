import { createPublisher, type Publisher } from './publisher.ts';
import type { PatientClient } from './patient-client.ts';

/** A subscription and the releases that it is to get: those that were recorded after it. */
export interface InBetween {
  readonly publisher: Publisher;
  readonly due: readonly string[];
}

/** One subscription that comes between two releases, and one that comes before both. */
export async function subscribeInBetween(
  client: PatientClient,
  name: string,
  urlOf: (path: string) => string,
): Promise<InBetween[]> {
  const late = await createPublisher(client, `${name}-late`);
  await late.release(1);
  await late.subscribe(urlOf(`/${name}-late`));
  const afterLate = await late.release(1);

  const early = await createPublisher(client, `${name}-early`);
  await early.subscribe(urlOf(`/${name}-early`));
  const afterEarly = [...(await early.release(1)), ...(await early.release(1))];
  return [
    { publisher: late, due: afterLate },
    { publisher: early, due: afterEarly },
  ];
}
