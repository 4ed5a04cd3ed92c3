import { createEmbeddedMessageBus } from '../../../src/adapters/embedded/message-bus/message-bus.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import { createTempFolder } from '../temp-folder.ts';

export interface EmbeddedBus {
  readonly bus: MessageBus;
  readonly close: () => Promise<void>;
}

/** An empty bus in a folder of its own. */
export async function openEmbeddedBus(): Promise<EmbeddedBus> {
  const folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  const bus = await createEmbeddedMessageBus({ folder: folder.path, clock: systemClock, onFatal });
  return {
    bus,
    close: async () => {
      await bus.close();
      folder.remove();
    },
  };
}
