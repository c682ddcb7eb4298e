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
  it('keeps indexes apart whose keys are made of several attributes: they are not read', () => {
    const described = toTableDescription(
      table([
        global('by-both', [['tournament', 'HASH'], ['region', 'HASH'], ['round', 'RANGE'], ['bracket', 'RANGE']]),
        global('by-rounds', [['tournament', 'HASH'], ['round', 'RANGE'], ['bracket', 'RANGE']]),
        global('by-pair', [['tournament', 'HASH'], ['region', 'HASH']]),
        global('by-one', [['tournament', 'HASH'], ['round', 'RANGE']]),
      ]),
    ); // prettier-ignore
    expect(described.indexes.map(({ name, key, coverage }) => ({ name, key, coverage }))).to.deep.equal([
      {
        name: 'by-one',
        key: { partitionKey: { name: 'tournament', type: 'S' }, sortKey: { name: 'round', type: 'N' } },
        coverage: 'assumed',
      },
      {
        name: 'of-region',
        key: { partitionKey: { name: 'id', type: 'S' }, sortKey: { name: 'region', type: 'S' } },
        coverage: 'complete',
      },
    ]);
    expect(described.unusedIndexes).to.deep.equal([
      {
        name: 'by-both',
        partitionKeys: [
          { name: 'tournament', type: 'S' },
          { name: 'region', type: 'S' },
        ],
        sortKeys: [
          { name: 'round', type: 'N' },
          { name: 'bracket', type: 'S' },
        ],
      },
      {
        name: 'by-pair',
        partitionKeys: [
          { name: 'tournament', type: 'S' },
          { name: 'region', type: 'S' },
        ],
        sortKeys: [],
      },
      {
        name: 'by-rounds',
        partitionKeys: [{ name: 'tournament', type: 'S' }],
        sortKeys: [
          { name: 'round', type: 'N' },
          { name: 'bracket', type: 'S' },
        ],
      },
    ]);
    // Their attributes are known all the same.
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
    expect(described.unusedIndexes).to.deep.equal([]);
  });
});
