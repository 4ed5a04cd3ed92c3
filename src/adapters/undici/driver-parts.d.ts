/**
 * The two parts of the driver that are used, which it has types for under its own name only. The driver as a whole has a
 * browser's `fetch` with caches, web sockets and mocks in it: each thread that sends requests would load a megabyte of
 * source that nobody calls.
 */
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}

declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
