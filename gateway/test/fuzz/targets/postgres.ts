/** The PostgreSQL endpoint: nasty statements and parameters, and messages with bytes changed, lost and doubled. */
import type { Credentials } from '../../e2e/support/tenant.ts';
import * as frames from '../../postgres/process/support/frames.ts';
import { fieldsOf, signedIn, type Answer } from '../../postgres/process/support/raw-client.ts';
import type { Random } from '../../chaos/random.ts';
import type { FuzzAnswer, FuzzRequest } from '../support/send.ts';
import { nastyText } from '../support/nasty.ts';
import { spoiledStatement } from './statements.ts';
import type { Target } from './target.ts';

const PATIENCE_MS = 60_000;
const BYTES_MAX = 60_000;

/** Of types that drivers send, of arrays of them, and of none. */
const OIDS = [
  0, 16, 17, 20, 21, 23, 25, 114, 700, 701, 705, 1007, 1009, 1082, 1114, 1184, 1700, 3802, 999_999,
];

/** A text as the protocol has it: without what would end it. */
const textOf = (random: Random): string =>
  nastyText(random).toWellFormed().replaceAll('\0', '').slice(0, BYTES_MAX);

const statementOf = (random: Random): string =>
  random.below(3) === 0
    ? `SELECT relname FROM pg_class WHERE relname = '${textOf(random)}' OR oid = ${textOf(random)}`
    : spoiledStatement(random).toWellFormed().replaceAll('\0', '').slice(0, BYTES_MAX);

function batch(random: Random): readonly Buffer[] {
  const name = random.below(3) === 0 ? textOf(random) : '';
  const count = random.below(4);
  const oids = Array.from({ length: count }, () => random.pick(OIDS));
  const sql = count === 0 ? statementOf(random) : `SELECT ${oids.map((_, i) => `$${i + 1}`).join(', ')}`;
  const values = oids.map(() => (random.below(5) === 0 ? null : textOf(random)));
  return [
    frames.parse(name, sql, oids),
    frames.describe('S', name),
    frames.bind(name, name, values),
    frames.describe('P', name),
    frames.execute(name, random.pick([0, 1, 7])),
    frames.SYNC,
  ];
}

/** Some bytes changed, and a piece gone or doubled. */
function spoiledBytes(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let flips = random.below(4); flips > 0; flips--)
    changed[random.below(changed.length)] = random.below(256);
  const at = random.below(changed.length);
  const to = Math.min(changed.length, at + random.below(40));
  const [head, piece, tail] = [changed.subarray(0, at), changed.subarray(at, to), changed.subarray(to)];
  return Buffer.concat([head, ...random.pick([[piece], [], [piece, piece]]), tail]);
}

/** An error that nobody foresaw is as bad as a 5xx. */
const statusOf = (answers: readonly Answer[]): number =>
  answers.some((answer) => answer.type === 'E' && fieldsOf(answer)['C'] === 'XX000') ? 500 : 200;

export function postgresTargets(port: number, credentials: Credentials): readonly Target[] {
  const send = async ({ body = '' }: FuzzRequest): Promise<FuzzAnswer> => {
    const started = performance.now();
    const client = await signedIn(credentials, { port, parameters: { statement_timeout: '20s' } });
    const late = setTimeout(() => client.destroy(), PATIENCE_MS);
    // Whoever has closed its side is answered, and then left.
    client.socket.end(Buffer.from(body as Uint8Array));
    const answers = await client.until('');
    clearTimeout(late);
    const errors = answers.filter(({ type }) => type === 'E').map((one) => JSON.stringify(fieldsOf(one)));
    const elapsedMs = performance.now() - started;
    return { status: elapsedMs >= PATIENCE_MS ? 0 : statusOf(answers), text: errors.join('\n'), elapsedMs };
  };
  const target = (name: string, bytes: (random: Random) => Buffer): Target => ({
    name,
    send,
    next: (random) => ({ method: 'PostgreSQL', path: '', headers: {}, body: bytes(random) }),
  });
  return [
    target('PostgreSQL statements', (random) => frames.query(statementOf(random))),
    target('PostgreSQL parameters', (random) => Buffer.concat(batch(random))),
    target('PostgreSQL messages', (random) =>
      spoiledBytes(random, Buffer.concat([...batch(random), frames.query('SHOW ALL'), ...batch(random)])),
    ),
  ];
}
