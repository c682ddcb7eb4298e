/** A client that says what a test wants it to, however wrong, and hands on whatever comes back. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Credentials } from '../../../e2e/support/tenant.ts';
import { frame, int32, startup, text } from './frames.ts';

export interface Answer {
  /** Its type's letter. */
  readonly type: string;
  readonly body: Buffer;
}

/** Fields of an error or a notice, by their letters. */
export const fieldsOf = ({ body }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    body
      .toString()
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field[0], field.slice(1)]),
  ) as Record<string, string>;

/** Error answers as `severity SQLSTATE`, all others as their letter. */
export const summaryOf = (answer: Answer): string =>
  answer.type === 'E' ? `${fieldsOf(answer)['S']} ${fieldsOf(answer)['C']}` : answer.type;

export interface RawClient {
  readonly socket: Socket;
  send(...parts: readonly Buffer[]): void;
  /** The next message; null once the connection is closed. */
  next(): Promise<Answer | null>;
  /** All messages up to one of a type, it included, or to the end of the connection. */
  until(type: string): Promise<readonly Answer[]>;
  /** Whether the connection was closed. */
  readonly isClosed: boolean;
  closed(): Promise<void>;
  destroy(): void;
}

export interface SignedIn extends RawClient {
  readonly backendPid: number;
  readonly cancelKey: Buffer;
}

export interface To {
  readonly port: number;
  /** Where to; this machine's loopback where it is absent. */
  readonly host?: string;
  /** Addresses of the loopback are as good as any others. */
  readonly localAddress?: string;
  /** A socket that is connected already, e.g. by TLS. */
  readonly socket?: Socket;
}

export function rawClient({ port, host = '127.0.0.1', localAddress, socket: given }: To): RawClient {
  const socket = given ?? connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) });
  let bytes: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let wake: () => void = () => undefined;
  const changed = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  socket.on('data', (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const next = async (): Promise<Answer | null> => {
    for (;;) {
      const length = bytes.length < 5 ? Infinity : 1 + bytes.readUInt32BE(1);
      if (bytes.length >= length) {
        const answer = { type: String.fromCharCode(bytes[0] ?? 0), body: bytes.subarray(5, length) };
        bytes = bytes.subarray(length);
        return answer;
      }
      if (isClosed) return null;
      await changed();
    }
  };
  return {
    ...{ socket, next },
    send: (...parts) => void socket.write(Buffer.concat(parts)),
    async until(type) {
      const answers: Answer[] = [];
      for (let one = await next(); one !== null; one = await next()) {
        answers.push(one);
        if (one.type === type) break;
      }
      return answers;
    },
    get isClosed() {
      return isClosed;
    },
    async closed() {
      while (!isClosed) await changed();
    },
    destroy: () => void socket.destroy(),
  };
}

const hmac = (key: Buffer, message: string): Buffer => createHmac('sha256', key).update(message).digest();

/** The client's half of SCRAM-SHA-256, after the server has asked for it. */
async function prove(client: RawClient, secret: string): Promise<void> {
  const bare = `n=,r=${randomBytes(18).toString('base64')}`;
  const first = Buffer.from(`n,,${bare}`);
  client.send(frame('p', text('SCRAM-SHA-256'), int32(first.length), first));
  const asked = (await client.next())?.body.subarray(4).toString() ?? '';
  const {
    r = '',
    s = '',
    i = '0',
  } = Object.fromEntries(asked.split(',').map((part) => [part[0], part.slice(2)])) as Record<string, string>;
  const salted = pbkdf2Sync(secret, Buffer.from(s, 'base64'), Number(i), 32, 'sha256');
  const key = hmac(salted, 'Client Key');
  const final = `c=biws,r=${r}`;
  const signature = hmac(createHash('sha256').update(key).digest(), `${bare},${asked},${final}`);
  const proof = Buffer.from(key.map((byte, at) => byte ^ (signature[at] ?? 0))).toString('base64');
  client.send(frame('p', Buffer.from(`${final},p=${proof}`)));
}

export interface SignInOptions extends To {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly version?: number;
}

/** What a client is told until it may ask, or is refused. */
export async function answersToSignIn(
  client: RawClient,
  { clientId, clientSecret }: Credentials,
  { parameters, version }: Omit<SignInOptions, 'port'> = {},
): Promise<readonly Answer[]> {
  client.send(startup(clientId, parameters, version));
  const answers: Answer[] = [];
  for (let one = await client.next(); one !== null; one = await client.next()) {
    answers.push(one);
    if (one.type === 'Z') break;
    if (one.type !== 'R') continue;
    const method = one.body.readInt32BE(0);
    if (method === 10) await prove(client, clientSecret);
    if (method === 3) client.send(frame('p', text(clientSecret)));
  }
  return answers;
}

/** @throws Error where it is refused */
export async function signedIn(credentials: Credentials, options: SignInOptions): Promise<SignedIn> {
  const client = rawClient(options);
  const answers = await answersToSignIn(client, credentials, options);
  const key = answers.find(({ type }) => type === 'K');
  if (key === undefined) throw new Error(`not signed in: ${answers.map(summaryOf).join(', ')}`);
  return Object.assign(client, { backendPid: key.body.readInt32BE(0), cancelKey: key.body.subarray(4) });
}
