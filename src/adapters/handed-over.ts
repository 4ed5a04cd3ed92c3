/**
 * Of all documents that are read, what is handed over before others get a turn: about what is parsed and taken over in a
 * millisecond, so that whoever waits for an answer meanwhile hardly notices. No more of them than that: behind many small
 * documents may lie as many large ones.
 */
export const handedOver = { first: 32, countMax: 128, bytesMax: 65_536 };
