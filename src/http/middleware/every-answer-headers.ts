/** On every answer, also on those of the server underneath (contract 16.5). */
export const everyAnswerHeaders = {
  Vary: 'Authorization, Cookie, Accept, Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};
