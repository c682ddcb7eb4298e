import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor, type CursorKind } from '../../src/schemas/cursor.ts';

const TENANT = 'tnt_1';

/** As `encodeCursor` makes it, of any text: its check value needs no secret. */
function forged(kind: CursorKind, text: string): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, TENANT, text]));
  return Buffer.from(hash.digest('base64url').slice(0, 16) + text).toString('base64url');
}

describe('a cursor', () => {
  it('gives the position that it was made from', () => {
    expect(decodeCursor('schemas', TENANT, encodeCursor('schemas', TENANT, ['shop']))).to.deep.equal([
      'shop',
    ]);
    const position = ['shop', 'Orders-1.b'];
    expect(decodeCursor('tables', TENANT, encodeCursor('tables', TENANT, position))).to.deep.equal(position);
    expect(decodeCursor('schemas', TENANT, forged('schemas', '["shop"]'))).to.deep.equal(['shop']);
  });

  it('is refused for another tenant or list', () => {
    const cursor = encodeCursor('schemas', TENANT, ['shop']);
    expect(() => decodeCursor('schemas', 'tnt_2', cursor)).to.throw(/nextToken is not valid/);
    expect(() => decodeCursor('tables', TENANT, cursor)).to.throw(/nextToken is not valid/);
  });

  const positions = [
    ...[
      '',
      'null',
      '{}',
      '1',
      '"shop"',
      '[]',
      '[1]',
      '[null]',
      '[""]',
      '["a b"]',
      '["a","b","c"]',
      '["\\ud800"]',
    ],
    `["${'s'.repeat(65)}"]`,
    `["shop","${'t'.repeat(256)}"]`,
    `["${'s'.repeat(3_000)}","orders"]`,
    '['.repeat(100_000),
  ];
  for (const position of positions) {
    it(`is refused where it holds ${position.slice(0, 24)}, with the right check value too`, () => {
      for (const kind of ['schemas', 'tables'] as const) {
        expect(() => decodeCursor(kind, TENANT, forged(kind, position))).to.throw(/nextToken is not valid/);
      }
    });
  }
});
