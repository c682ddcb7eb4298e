import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { toTableDescription } from '../../src/dynamodb/describe-table.ts';
import { keyAttributes } from '../../src/metadata/merge-attributes.ts';

const global = (
  IndexName: string,
  keys: readonly (readonly [string, 'HASH' | 'RANGE'])[],
  more: Partial<GlobalSecondaryIndexDescription> = {},
): GlobalSecondaryIndexDescription => ({
  IndexName,
  KeySchema: keys.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })),
  Projection: { ProjectionType: 'ALL' },
  IndexStatus: 'ACTIVE',
  ...more,
});

const table = (GlobalSecondaryIndexes: GlobalSecondaryIndexDescription[]): TableDescription => ({
  TableName: 'matches',
  AttributeDefinitions: ['id', 'tournament', 'region', 'round', 'bracket'].map((AttributeName) => ({
    AttributeName,
    AttributeType: AttributeName === 'round' ? 'N' : 'S',
  })),
  KeySchema: [
    { AttributeName: 'id', KeyType: 'HASH' },
    { AttributeName: 'round', KeyType: 'RANGE' },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'of-region',
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' },
        { AttributeName: 'region', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  GlobalSecondaryIndexes,
});

describe('a described table', () => {
  it('has every attribute of the keys of its indexes, in the order in which they are declared', () => {
    const described = toTableDescription(
      table([
        global('by-both', [['tournament', 'HASH'], ['region', 'HASH'], ['round', 'RANGE'], ['bracket', 'RANGE']]),
        global('by-rounds', [['tournament', 'HASH'], ['round', 'RANGE'], ['bracket', 'RANGE']]),
        global('by-pair', [['tournament', 'HASH'], ['region', 'HASH']]),
        global('by-one', [['tournament', 'HASH'], ['round', 'RANGE']]),
      ]),
    ); // oxfmt-ignore
    const shown = described.indexes.map(({ name, key, coverage }) => {
      const [partition, sort] = [key.partitionKeys, key.sortKeys].map((list) =>
        list.map((one) => `${one.name}:${one.type}`).join(' '),
      );
      return [name, partition, sort, coverage];
    });
    expect(shown).to.deep.equal([
      ['by-both', 'tournament:S region:S', 'round:N bracket:S', 'assumed'],
      ['by-one', 'tournament:S', 'round:N', 'assumed'],
      ['by-pair', 'tournament:S region:S', '', 'assumed'],
      ['by-rounds', 'tournament:S', 'round:N bracket:S', 'assumed'],
      ['of-region', 'id:S', 'region:S', 'complete'],
    ]);
    expect(keyAttributes(described).map(({ name }) => name)).to.include('bracket');
  });

  it('leaves out indexes that are being made, filled or removed', () => {
    const keys = [['tournament', 'HASH']] as const;
    const described = toTableDescription(
      table([
        global('creating', keys, { IndexStatus: 'CREATING' }),
        global('filling', keys, { IndexStatus: 'CREATING', Backfilling: true }),
        global('still-filling', keys, { Backfilling: true }),
        global('deleting', keys, { IndexStatus: 'DELETING' }),
        global('deleting-two', [...keys, ['region', 'HASH']], { IndexStatus: 'DELETING' }),
        global('updating', keys, { IndexStatus: 'UPDATING' }),
      ]),
    );
    expect(described.indexes.map(({ name }) => name)).to.deep.equal(['of-region', 'updating']);
  });
});
