/** Tests send more than a client may; those of the limits themselves set their own. */
export const wideLimitSettings = { RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_TOKEN: '1000000' } as const;
