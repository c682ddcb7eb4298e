import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DocumentNetwork } from '../../src/oauth/metadata-documents/network.ts';

/** An https host on the loopback interface, which a network of the tests' own calls `agent.example`. */
export interface DocumentHost {
  /** URL of a path. */
  url(path: string): string;
  /** A network in which only this host exists and may be reached. */
  readonly network: DocumentNetwork;
  /** Connections so far. */
  connections(): number;
  /** Requests so far. */
  requests(): number;
  answer(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Answers with a document for the URL, changed. */
  document(path: string, change?: object, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

export const documentHostname = 'agent.example';

export async function startDocumentHost(): Promise<DocumentHost> {
  const dir = await mkdtemp(join(tmpdir(), 'penstock-documents-'));
  const [keyFile, certificateFile] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const subject = ['-subj', `/CN=${documentHostname}`, '-addext', `subjectAltName=DNS:${documentHostname}`];
  const files = ['-nodes', '-keyout', keyFile, '-out', certificateFile, '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...files, ...subject]);
  const [key, cert] = [await readFile(keyFile, 'utf8'), await readFile(certificateFile, 'utf8')];
  await rm(dir, { recursive: true });

  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  let [connections, requests] = [0, 0];
  const server = createServer({ key, cert }, (request, response) => {
    requests += 1;
    const handler = handlers.get(request.url ?? '');
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (path: string): string => `https://${documentHostname}:${port}${path}`;

  return {
    url,
    network: {
      resolve: async (hostname) => (hostname === documentHostname ? ['127.0.0.1'] : []),
      mayConnectTo: (address) => address === '127.0.0.1',
      anyPort: true,
      trustedCertificate: cert,
    },
    connections: () => connections,
    requests: () => requests,
    answer: (path, handler) => void handlers.set(path, handler),
    document(path, change = {}, headers = {}) {
      const document = {
        client_id: url(path),
        client_name: 'Document agent',
        redirect_uris: ['http://127.0.0.1:3000/callback'],
        ...change,
      };
      handlers.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(document));
      });
      return url(path);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
