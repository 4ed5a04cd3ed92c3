import type { Context } from 'koa';

/** On every answer, also on those of the server underneath. */
export const securityHeaderValues = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

export const securityHeaders = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  ctx.set(securityHeaderValues);
  await next();
};
