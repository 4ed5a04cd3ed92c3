import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { bind, listen } from './server.ts';
import { createStandin } from './standin.ts';
import type { StandinCommand } from './standin-command.ts';

// The EventStoreDB stand-in as a process of its own, so that tests can kill, freeze and restart it.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    'start-position': { type: 'string', default: '8147' },
    'append-bytes-max': { type: 'string', default: String(1024 * 1024) },
    data: { type: 'string' },
  },
});

const { parts, control } = createStandin({
  startPosition: BigInt(values['start-position']),
  appendBytesMax: Number(values['append-bytes-max']),
  dataFile: values.data,
});

const controlServer = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    try {
      response.end(JSON.stringify(control(JSON.parse(body) as StandinCommand)));
    } catch (error) {
      response.statusCode = 400;
      response.end(String(error));
    }
  });
});

const port = await listen(parts, Number(values.port));
const controlPort = await bind(controlServer, Number(values['control-port']));
process.stdout.write(`${JSON.stringify({ port, controlPort })}\n`);

const exit = (): never => process.exit(0);
process.on('SIGTERM', exit);
// The end of the input is the end of the test process, however it came.
process.stdin.on('end', exit).resume();
