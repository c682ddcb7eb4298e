/**
 * An AWS endpoint in front of several, each of one account: what a tenant makes the one work that it reads from does not
 * delay those who read from another, as in AWS. A process of its own, as they are.
 *
 * Run by itself: `node endpoint-by-account.ts <port> <account>=<URL> …`; prints a line once it listens.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePorts } from '../../../../../deploy/local/src/stack/ports.ts';

/** The access key ID, which is the account here, in a signature's header. */
const CREDENTIAL = /Credential=(\d{12})\//;

export async function startEndpointByAccount(endpoints: Readonly<Record<string, string>>) {
  const [port = 0] = await freePorts(1);
  const pairs = Object.entries(endpoints).map(([account, url]) => `${account}=${url}`);
  const child = spawn(process.execPath, [import.meta.filename, String(port), ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the endpoint by account did not start');
    }),
  ]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function serve(port: number, endpoints: ReadonlyMap<string, URL>): void {
  const agent = new Agent({ keepAlive: true });
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const account = CREDENTIAL.exec(String(asked.headers.authorization))?.[1] ?? '';
    const url = endpoints.get(account);
    if (url === undefined) {
      answer.writeHead(404).end();
      return;
    }
    // The signature is over the headers as they are.
    const { method, url: path, headers } = asked;
    const passed = request(
      { agent, hostname: url.hostname, port: url.port, method, path, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  };
  createServer(pass).listen(port, '127.0.0.1', () => process.stdout.write('listening\n'));
}

if (process.argv[1] === import.meta.filename) {
  const [port, ...pairs] = process.argv.slice(2);
  serve(
    Number(port),
    new Map(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), new URL(pair.slice(at + 1))] as const;
      }),
    ),
  );
}
