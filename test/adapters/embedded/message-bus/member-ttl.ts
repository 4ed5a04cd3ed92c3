/** Long enough for a machine that has much else to do, short enough to wait for when a member is killed. */
export const memberTtlMs = 3_000;
