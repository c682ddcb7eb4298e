/** What a plain session is told of its settings when it starts. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { FIRST_DATABASE, SOCKET_PORT } from '../owner-connection.ts';

const PROTOCOL_3 = 196_608;
const HEAD_BYTES = 5;

function startup(fields: readonly string[]): Buffer {
  const body = Buffer.from([...fields, ''].map((text) => `${text}\0`).join(''));
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length);
  head.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([head, body]);
}

/** By ParameterStatus, up to the first ReadyForQuery. */
export async function sessionParameters(
  socketFolder: string,
  user: string,
): Promise<Readonly<Record<string, string>>> {
  const socket = connect(join(socketFolder, `.s.PGSQL.${SOCKET_PORT}`));
  socket.write(startup(['user', user, 'database', FIRST_DATABASE, 'client_encoding', 'UTF8']));
  const parameters: Record<string, string> = {};
  let held = Buffer.alloc(0);
  for await (const bytes of socket) {
    held = Buffer.concat([held, bytes as Buffer]);
    while (held.length >= HEAD_BYTES && held.length >= 1 + held.readInt32BE(1)) {
      const end = 1 + held.readInt32BE(1);
      const type = String.fromCharCode(held[0] ?? 0);
      const [name = '', value = ''] = held.subarray(HEAD_BYTES, end).toString().split('\0');
      held = held.subarray(end);
      if (type === 'S') parameters[name] = value;
      if (type === 'E') throw new Error(`the template refuses a session: ${name}`);
      if (type !== 'Z') continue;
      socket.destroy();
      return parameters;
    }
  }
  throw new Error('the template ended a session that had not begun');
}
