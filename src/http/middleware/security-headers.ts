import type { Context } from 'koa';

export const securityHeaders = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  ctx.set({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  });
  await next();
};
