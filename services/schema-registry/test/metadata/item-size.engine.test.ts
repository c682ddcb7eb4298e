import { expect } from 'chai';
import { itemSizeBytes } from '../../src/metadata/item-size.ts';

describe('the size of an item', () => {
  it('is that of names and values, as DynamoDB counts them', () => {
    expect(itemSizeBytes({})).to.equal(0);
    expect(itemSizeBytes({ id: { S: 'abc' } })).to.equal(5);
    expect(itemSizeBytes({ ü: { S: '€' } })).to.equal(5);
    expect(itemSizeBytes({ n: { N: '1234' } })).to.equal(1 + 3);
    expect(itemSizeBytes({ n: { N: '-12.5' } })).to.equal(1 + 4);
    expect(itemSizeBytes({ n: { N: '1E+30' } })).to.equal(1 + 2);
    expect(itemSizeBytes({ b: { B: Buffer.from([1, 2, 3]).toString('base64') } })).to.equal(4);
    expect(itemSizeBytes({ t: { BOOL: true }, u: { NULL: true } })).to.equal(4);
    expect(itemSizeBytes({ s: { SS: ['a', 'bc'] }, q: { NS: ['1', '22'] } })).to.equal(1 + 3 + 1 + 4);
    expect(itemSizeBytes({ q: { BS: [Buffer.from([1]).toString('base64')] } })).to.equal(2);
    expect(itemSizeBytes({ l: { L: [{ S: 'ab' }, { BOOL: false }] } })).to.equal(1 + 3 + 1 + 2 + 1 + 1);
    expect(itemSizeBytes({ m: { M: { k: { S: 'v' } } } })).to.equal(1 + 3 + 1 + 1 + 1);
  });
});
