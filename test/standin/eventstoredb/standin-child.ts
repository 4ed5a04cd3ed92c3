import { readFileSync } from 'node:fs';
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
    'batch-append': { type: 'string', default: 'on' },
    'append-bytes-max': { type: 'string', default: String(1024 * 1024) },
    'commit-timeout-ms': { type: 'string', default: '2000' }, // the server's own default
    nodes: { type: 'string', default: '1' },
    data: { type: 'string' },
    certificate: { type: 'string' },
    key: { type: 'string' },
    user: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
  },
});

const { nodes, ports, control } = createStandin(
  {
    host: values.certificate === undefined ? '127.0.0.1' : 'localhost',
    startPosition: BigInt(values['start-position']),
    batchAppend: values['batch-append'] === 'on',
    appendBytesMax: Number(values['append-bytes-max']),
    commitTimeoutMs: Number(values['commit-timeout-ms']),
    dataFile: values.data,
  },
  Number(values.nodes),
);

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

const security =
  values.certificate === undefined || values.key === undefined
    ? undefined
    : {
        certificate: readFileSync(values.certificate),
        privateKey: readFileSync(values.key),
        username: values.user,
        password: values.password,
      };
for (const parts of nodes) ports.push(await listen(parts, Number(values.port), security));
const controlPort = await bind(controlServer, Number(values['control-port']));
process.stdout.write(`${JSON.stringify({ ports, controlPort })}\n`);

const exit = (): never => process.exit(0);
process.on('SIGTERM', exit);
// The end of the input is the end of the test process, however it came.
process.stdin.on('end', exit).resume();
