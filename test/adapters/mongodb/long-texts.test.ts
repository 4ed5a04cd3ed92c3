import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BodyPart, bodiesProjection } from '../../../projections/bodies/bodies.ts';
import { type MongoConnection, openMongo } from '../../../src/adapters/mongodb/connection.ts';
import { createMongoReadModels } from '../../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { roughBytes } from '../../../src/kernel/rough-bytes.ts';
import { batchBytesMax } from '../../../src/ports/event-store.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { describeMongo } from './describe-mongo.ts';
import { newDatabaseUrl } from './mongo-backends.ts';

const texts = 100;
const textChars = 240_000;

describeMongo((server) => {
  let connection: MongoConnection;

  beforeEach(async () => {
    connection = await openMongo({ url: newDatabaseUrl(server), appName: 'long texts' });
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
  });

  const batchOfTexts = () => {
    const recorder = createRecorder();
    for (let number = 0; number < texts; number += 1) {
      const data = { part: 0, parts: 1, text: `${number % 10}`.repeat(textChars) };
      const event: DomainEvent = { type: 'BodyPartStored.v1', data };
      recorder.record(`body-owner${number}-hash`, [event]);
    }
    const events = recorder.all();
    return { events, position: events.at(-1)!.position, isAtEnd: true };
  };

  // Six times what one transaction may hold: the server aborts those that fill its memory, again and again.
  it.each([
    ['by what they weigh', Number.POSITIVE_INFINITY],
    ['again, when the server takes less', batchBytesMax / 4],
  ])('many long texts are halved %s, and all of them are stored', async (_, bytesMax) => {
    const readModels = createMongoReadModels({ connection, clock: systemClock });
    const model = await readModels.open<BodyPart>(bodiesProjection);
    const lease = (await model.leases.acquire('feed', 'test', 60_000))!;
    const written: number[] = [];
    const watched: ReadModel<BodyPart> = {
      ...model,
      write: async (write) => {
        const bytes = roughBytes(write.changes);
        if (bytes > bytesMax) return 'too_large';
        written.push(bytes);
        return model.write(write);
      },
    };
    const batch = batchOfTexts();
    const target = await createProjectionTarget(bodiesProjection, watched as ReadModel, lease);
    await target.feed(batch);
    expect(Math.max(...written)).toBeLessThanOrEqual(Math.min(bytesMax, batchBytesMax));
    expect(await model.checkpoint()).toBe(batch.position);
    const ids: string[] = [];
    for (let afterId = ''; ; ) {
      const rows = await model.scan(afterId, 20);
      if (rows.length === 0) break;
      ids.push(...rows.filter(({ doc }) => doc.text.length === textChars).map(({ doc }) => doc.id));
      afterId = rows.at(-1)!.doc.id;
    }
    expect(new Set(ids).size).toBe(texts);
  });
});
