/**
 * A DynamoDB endpoint that costs next to nothing to answer: pages of canned tables come from memory; whatever else is
 * asked (other tables, STS, IAM) goes on to the real local endpoint. Emulators are slower than what is measured here.
 *
 * Run: `node canned/server.ts <port> <upstream port>`; prints READY. Answers any signature. Filters are not applied.
 */
import {
  createServer,
  request as forward,
  Agent,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { cannedAnswer, type CannedRequest } from './tables.ts';
import { pageOf } from './items.ts';

const [port = '0', upstream = '0'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function canned(request: IncomingMessage, body: Buffer): readonly Buffer[] | null {
  const target = String(request.headers['x-amz-target'] ?? '');
  if (!target.startsWith('DynamoDB_20120810.')) return null;
  const wanted = JSON.parse(body.toString()) as CannedRequest;
  return cannedAnswer(target.slice(target.indexOf('.') + 1), wanted);
}

function proxy(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { method, url, headers } = request;
  const options = { host: '127.0.0.1', port: upstream, method, path: url, headers, agent };
  const sent = forward(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  sent.end(body);
}

pageOf(0, null);
const server = createServer((request, response) => {
  void bodyOf(request).then(
    (body) => {
      const chunks = canned(request, body);
      if (chunks === null) return proxy(request, body, response);
      response.writeHead(200, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': chunks.reduce((sum, { length }) => sum + length, 0),
      });
      for (const chunk of chunks) response.write(chunk);
      response.end();
    },
    () => response.destroy(),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('READY\n'));
// Whoever started this holds its standard input: when that ends, so does this.
process.stdin.on('end', () => process.exit(0)).resume();
