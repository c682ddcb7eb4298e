import { expect } from 'chai';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { MESSAGE_BYTES_MAX, STARTUP_BYTES_MAX } from '../../../src/postgres/limits.ts';
import { createMessageStream, type Framed } from '../../../src/postgres/wire/message-stream.ts';

const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
};
const int16 = (value: number): Buffer => int32(value).subarray(2);
const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};
const startup = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([int32(body.length + 4), body]);
};

const QUERY = message('Q', text('SELECT 1'));
const PARSE = message('P', text('s'), text('SELECT $1'), int16(1), int32(23));
const BIND = message(
  'B',
  ...[text(''), text('s'), int16(1), int16(1), int16(2), int32(4), int32(7), int32(-1), int16(1), int16(0)],
);
const ALL = [
  QUERY,
  PARSE,
  BIND,
  message('D', Buffer.from('S'), text('s')),
  message('E', text(''), int32(10)),
  message('C', Buffer.from('P'), text('')),
  message('H'),
  message('S'),
  message('p', text('secret')),
  message('X'),
];

/** All that comes of bytes in a session, in pieces of a size; the error that ends it, if one does. */
function read(bytes: Buffer, size: number): { readonly kinds: string[]; readonly error: PgError | null } {
  const stream = createMessageStream();
  stream.phase = 'session';
  const kinds: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += size) {
      stream.add(bytes.subarray(at, at + size));
      for (let one: Framed | null = stream.next(); one !== null; one = stream.next())
        kinds.push(one.message.kind);
    }
  } catch (error) {
    if (!(error instanceof PgError)) throw error;
    return { kinds, error };
  }
  return { kinds, error: null };
}

function fatalOf(work: () => unknown): PgError['fields'] {
  try {
    work();
  } catch (error) {
    if (error instanceof PgError) return error.fields;
    throw error;
  }
  throw new Error('it was taken');
}

describe('messages of a PostgreSQL client', () => {
  it('are the same in whatever pieces they come', () => {
    const bytes = Buffer.concat(ALL);
    const whole = read(bytes, bytes.length).kinds;
    expect(whole).to.deep.equal([
      ...['query', 'parse', 'bind', 'describe', 'execute', 'close', 'flush', 'sync', 'password', 'terminate'],
    ]);
    for (const size of [1, 2, 3, 7, 64]) expect(read(bytes, size).kinds).to.deep.equal(whole);
  });

  it('have their fields', () => {
    const stream = createMessageStream();
    stream.phase = 'session';
    stream.add(Buffer.concat([PARSE, BIND]));
    expect(stream.next()?.message).to.deep.equal({
      ...{ kind: 'parse', name: 's', sql: 'SELECT $1', parameterOids: [23] },
    });
    expect(stream.next()?.message).to.deep.equal({
      ...{ kind: 'bind', portal: '', statement: 's', parameterFormats: [1], resultFormats: [0] },
      parameters: [int32(7), null],
    });
  });

  it('begin with a startup, or with a request', () => {
    const first = (bytes: Buffer) => {
      const stream = createMessageStream();
      stream.add(bytes);
      return stream.next()?.message;
    };
    expect(first(startup(int32(80_877_103)))).to.deep.equal({ kind: 'sslRequest' });
    expect(first(startup(int32(80_877_104)))).to.deep.equal({ kind: 'gssEncRequest' });
    expect(first(startup(int32(80_877_102), int32(9), int32(1)))).to.deep.include({ backendPid: 9 });
    const begun = first(
      startup(int32(196_610), text('user'), text('c'), text('_pq_.x'), text('1'), text('')),
    );
    expect(begun).to.deep.include({ kind: 'startup', major: 3, minor: 2 });
  });

  it('that are cut short are refused by name, and the next one is taken', () => {
    // Each message with its body cut and its length right, so that its end is known.
    for (const one of ALL) {
      for (let length = 0; length < one.length - 5; length++) {
        const cut = message(one.toString('latin1', 0, 1), one.subarray(5, 5 + length));
        const { kinds, error } = read(Buffer.concat([cut, QUERY]), 1_000);
        expect(error).to.equal(null);
        expect(kinds.at(-1)).to.equal('query');
        expect(kinds[0]).to.match(/^(refused|password)$/);
      }
    }
  });

  it('that are too long are forgotten as they come, and answered', () => {
    const stream = createMessageStream();
    stream.phase = 'session';
    stream.add(Buffer.concat([Buffer.from('Q'), int32(300 * 1024 * 1024)]));
    const before = process.memoryUsage().arrayBuffers;
    const piece = Buffer.alloc(1024 * 1024);
    let refused: Framed | null = null;
    for (let sent = 0; sent < 300 && refused === null; sent++) {
      stream.add(piece);
      refused = stream.next();
    }
    expect(refused?.message).to.include({ kind: 'refused', code: '54000' });
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(32 * 1024 * 1024);
    stream.takeRest();
    stream.add(QUERY);
    expect(stream.next()?.message.kind).to.equal('query');
  });

  it('end the session where nothing is known of what follows', () => {
    const session = (bytes: Buffer) => () => {
      const stream = createMessageStream();
      stream.phase = 'session';
      stream.add(bytes);
      return stream.next();
    };
    const first = (bytes: Buffer) => () => {
      const stream = createMessageStream();
      stream.add(bytes);
      return stream.next();
    };
    for (const work of [
      session(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
      session(Buffer.concat([Buffer.from('Q'), int32(3)])),
      session(Buffer.concat([Buffer.from('Q'), int32(-1)])),
      first(int32(STARTUP_BYTES_MAX + 1)),
      first(int32(0)),
      first(startup(int32(196_608), text('user'))),
      first(startup(int32(80_877_102), int32(1))),
    ])
      expect(fatalOf(work)).to.include({ code: '08P01', severity: 'FATAL' });
  });

  it('of other bytes than UTF-8 are refused by name', () => {
    const stream = createMessageStream();
    stream.phase = 'session';
    stream.add(message('Q', Buffer.from([0xff, 0xfe, 0])));
    expect(stream.next()?.message).to.include({ kind: 'refused', code: '22021' });
  });

  it('with a zero byte in their text are refused', () => {
    const { kinds, error } = read(Buffer.concat([message('Q', text('SELECT 1'), text('; x')), QUERY]), 100);
    expect([kinds, error]).to.deep.equal([['refused', 'query'], null]);
  });

  it('never throw anything but a named error, whatever the bytes are', () => {
    let seed = 42;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return seed % below;
    };
    const rounds = Number(process.env['HOSTILE'] ?? 3_000);
    for (let round = 0; round < rounds; round++) {
      const bytes = Buffer.concat(Array.from({ length: 1 + random(4) }, () => ALL[random(ALL.length)]!));
      for (let flips = random(6); flips > 0; flips--) bytes[random(bytes.length)] = random(256);
      const { error } = read(bytes.subarray(0, 1 + random(bytes.length)), 1 + random(40));
      if (error !== null) expect(error.fields).to.include({ code: '08P01', severity: 'FATAL' });
      const stream = createMessageStream();
      stream.add(bytes);
      try {
        stream.next();
      } catch (thrown) {
        expect(thrown).to.be.instanceOf(PgError);
      }
    }
  });

  it('are bounded', () => {
    const stream = createMessageStream();
    stream.phase = 'session';
    stream.add(message('Q', Buffer.alloc(MESSAGE_BYTES_MAX, 0x20)));
    expect(stream.next()?.message).to.include({ kind: 'refused', code: '54000' });
  });
});
