// Builds what changed since the last build, then runs the command line in this very process. package.json runs it with
// exec, so that a signal to `npm start` reaches the service; a start without changes does not wait for the compiler.
import './build.mjs';

await import('../dist/src/main.js');
