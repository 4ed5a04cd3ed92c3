import type { Document } from '../kernel/projection.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

interface DemoMark extends Document {
  readonly state: 'begun' | 'done';
}

/** How far the demo of the first run is; null when it never began. */
export interface DemoMarks {
  readonly state: () => Promise<DemoMark['state'] | null>;
  readonly set: (state: DemoMark['state']) => Promise<void>;
}

export const demoMarkDeclaration = { name: 'demo', indexes: {} };

const markId = 'first-run';

export async function openDemoMarks(ops: OperationalStore): Promise<DemoMarks> {
  const marks = await ops.collection<DemoMark>(demoMarkDeclaration);
  return {
    state: async () => (await marks.get(markId))?.doc.state ?? null,
    set: async (state) => {
      const doc: DemoMark = { id: markId, state };
      await ops.transact([{ kind: 'put', collection: demoMarkDeclaration.name, doc }]);
    },
  };
}
