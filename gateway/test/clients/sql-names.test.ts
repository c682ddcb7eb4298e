import { expect } from 'chai';
import { sqlName } from '../../src/clients/sql-names.ts';

describe('names as a statement writes them', () => {
  it('are plain where they can be', () => {
    expect(['orders', 'Order_2', '_x'].map(sqlName)).to.deep.equal(['orders', 'Order_2', '_x']);
  });

  it('are quoted where they hold other characters, begin with a digit or are words of SQL', () => {
    expect(['a-b', '2x', 'Order', 'a.b', 'a"b', ''].map(sqlName)).to.deep.equal([
      '"a-b"',
      '"2x"',
      '"Order"',
      '"a.b"',
      '"a""b"',
      '""',
    ]);
  });
});
