/** How far the parts are that follow the events: positions of one event store, meaningless in another. */
export const checkpointsDeclaration = { name: 'checkpoints', indexes: {} };
