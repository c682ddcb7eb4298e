import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { z } from 'zod';
import { validate } from '../../../src/validation/describe-issue.ts';
import { createSchemaRequest } from '../../../src/validation/schema-requests.ts';
import {
  fieldProblem,
  limitOf,
  roleArnProblem,
  tableNames,
  tablesProblem,
  takenProblem,
  type SchemaField,
} from '../../../src/console/web/pages/connect/field-problems.ts';
import { REGIONS, regionDoubt } from '../../../src/console/web/pages/connect/regions.ts';
import { amountOf } from '../../../src/console/web/pages/access/amount.ts';

const TABLES_MAX = 500;

/** What the API says of a field alone, without its name; undefined: it takes it. */
function refusal(name: string, value: unknown): string | undefined {
  const shape = createSchemaRequest.shape[name as keyof typeof createSchemaRequest.shape];
  try {
    validate(z.object({ [name]: shape }), { [name]: value });
    return undefined;
  } catch (error) {
    if (!(error instanceof PenstockError)) throw error;
    const [first = ''] = error.message.split('; ');
    const words = first.replace(/^\S+ /, '');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}

const SAMPLES: Readonly<Record<SchemaField, readonly string[]>> = {
  schemaName: ['shop', 'Shop_2-x', '1shop', 'a'.repeat(64), 'a'.repeat(65), 'sh op', 'shöp', '_x'],
  region: [
    'eu-west-1',
    'eusc-de-east-1',
    'us-gov-west-1',
    'Europe',
    'eu-west',
    'eu-west-123',
    'EU-WEST-1',
    'a-b-1',
  ],
  accountId: ['111122223333', '123', '1111-2222-3333', '11112222333a', '1'.repeat(13)],
  roleArn: [
    'arn:aws:iam::111122223333:role/penstock-access',
    'arn:aws-us-gov:iam::111122223333:role/a/b',
    'arn:aws:iam::111122223333:user/x',
    'arn:aws:iam::1:role/x',
    `arn:aws:iam::111122223333:role/${'x'.repeat(2_048)}`,
  ],
  externalId: [
    'x',
    'xy',
    'penstock-tnt_1-2',
    'a b',
    'ünicode',
    'x'.repeat(1_224),
    'x'.repeat(1_225),
    '<script>',
  ],
};

describe('The fields of the wizard', () => {
  it('are taken and refused as the API does, in its own words', () => {
    for (const [name, values] of Object.entries(SAMPLES))
      for (const value of values)
        expect(fieldProblem(name as SchemaField, value), `${name} ${value}`).to.equal(refusal(name, value));
    expect(fieldProblem('region', '')).to.equal('Is needed');
  });

  it('take names of tables however they are pasted, and say which is none', () => {
    expect(tableNames(' orders, customers\n\torders\r\na.b-c ')).to.deep.equal([
      'orders',
      'customers',
      'a.b-c',
    ]);
    expect(tablesProblem([], TABLES_MAX)).to.equal('Name at least one table');
    expect(tablesProblem(['orders', 'a/b'], TABLES_MAX)).to.include('“a/b”');
    for (const name of ['orders', 'a.b-c_D', 'ab', 'x'.repeat(256), 'tä-ble', 'a b']) {
      const isTaken = tablesProblem([name], TABLES_MAX) === undefined;
      expect(isTaken, name).to.equal(refusal('tableAllowlist', [name]) === undefined);
    }
    const many = Array.from({ length: TABLES_MAX + 1 }, (_, i) => `table${i}`);
    expect(tablesProblem(many, TABLES_MAX)).to.equal('Must have at most 500 tables');
    expect(refusal('tableAllowlist', many)).to.include('at most 500');
  });

  it('want the role in the account of the tables', () => {
    const arn = 'arn:aws:iam::111122223333:role/penstock-access';
    expect(roleArnProblem(arn, '111122223333')).to.equal(undefined);
    expect(roleArnProblem(arn, '999922223333')).to.include('999922223333');
  });

  it('take limits as numbers, in the bounds of the API', () => {
    expect(limitOf('unitsPerQuery', ' 12.5 ')).to.deep.equal({ limit: 12.5 });
    expect(limitOf('unitsPerQuery', '')).to.deep.equal({ limit: undefined });
    expect(limitOf('unitsPerSecond', 'many')).to.have.property('problem').that.includes('number');
    for (const name of ['unitsPerSecond', 'unitsPerQuery'] as const)
      for (const limit of [0, 0.4, 0.5, 1, 1e6, 1e6 + 1, 1e9, 1e9 + 1]) {
        const found = limitOf(name, String(limit));
        const problem = 'problem' in found ? found.problem : undefined;
        expect(problem, `${name} ${limit}`).to.equal(refusal('readLimits', { [name]: limit }));
      }
  });
});

describe('A schema that is to be made', () => {
  it('has a name that no other has, whatever the case: told before its role is made', () => {
    const said = 'A schema with that name already exists: choose another';
    expect(takenProblem('SHOP', ['stock', 'shop'])).to.equal(said);
    expect(takenProblem('shops', ['stock', 'shop'])).to.equal(undefined);
  });

  it('has its region asked about where none is called so, with the one that is meant', () => {
    for (const region of REGIONS) expect(regionDoubt(region), region).to.equal(undefined);
    for (const [typo, meant] of [
      ['eu-wst-1', 'eu-west-1'],
      ['us-esat-1', 'us-east-1'],
      ['eu-central1', 'eu-central-1'],
      ['ap-souteast-2', 'ap-southeast-2'],
    ] as const)
      expect(regionDoubt(typo)).to.equal(
        `No region that Penstock knows is called ${typo}. Did you mean ${meant}? If it is right, go on once more.`,
      );
    expect(regionDoubt('xx-nowhere-9')).not.to.include('Did you mean');
  });
});

describe('A budget as it is typed', () => {
  it('may have separators, and is empty for no limit', () => {
    expect(amountOf(' 2,000,000 ', 1e12)).to.deep.equal({ units: 2_000_000, problem: undefined });
    expect(amountOf('12.5', 1e12).units).to.equal(12.5);
    expect(amountOf('', 1e12)).to.deep.equal({ units: null, problem: undefined });
  });

  it('is refused where it is no number or too large', () => {
    for (const wrong of ['-1', '1e9', 'lots', '1.2.3', '0x10'])
      expect(amountOf(wrong, 1e12).problem, wrong).to.include('number');
    expect(amountOf('11', 10).problem).to.equal('Must be at most 10');
  });
});
