import { expect } from 'chai';
import { consumedHalfUnits } from '../../../src/dynamodb/decode/consumed.ts';

const COST = '"ConsumedCapacity":{"TableName":"t","CapacityUnits":12.5}';
/** What only looks like it, as a text, as an attribute, and as the last attribute of the last item. */
const ITEMS =
  '"Items":[{"a":{"S":"\\"ConsumedCapacity\\":{\\"CapacityUnits\\":9}"}},{"b":{"M":{"ConsumedCapacity":{"N":"1"}}}},{"ConsumedCapacity":{"N":"7"}}]';

describe('what an answer cost', () => {
  for (const [where, body] of [
    ['before all others', `{${COST},"Count":3,${ITEMS},"ScannedCount":3}`],
    ['behind the items', `{${ITEMS},"Count":3,${COST},"LastEvaluatedKey":{"id":{"S":"x"}}}`],
    ['at the end', `{"Count":3,${ITEMS},${COST}}`],
    [
      'before items that are long',
      `{"Count":3,${COST},${ITEMS.replace('"a"', () => `"${'a'.repeat(20_000)}"`)}}`,
    ],
    ['with spaces', `{ "Items": [], ${COST.replace(':', ' : ')} }`],
    ['in a list', `{"ConsumedCapacity":[{"CapacityUnits":12},{"CapacityUnits":0.5}],${ITEMS}}`],
  ] as const)
    it(`is found ${where}`, () => {
      expect(consumedHalfUnits(Buffer.from(body))).to.equal(25);
    });

  it('is nothing where it does not stand, whatever the items say', () => {
    expect(consumedHalfUnits(Buffer.from(`{"Count":3,${ITEMS}}`))).to.equal(0);
    expect(consumedHalfUnits(Buffer.from(`{${ITEMS}}`))).to.equal(0);
    expect(consumedHalfUnits(Buffer.from('{}'))).to.equal(0);
  });

  it('is not guessed of what is cut or no JSON', () => {
    for (const body of [`{"Count":1,${COST},"x`, `${COST}}`, ''])
      expect(() => consumedHalfUnits(Buffer.from(body)), body).to.throw();
  });
});
