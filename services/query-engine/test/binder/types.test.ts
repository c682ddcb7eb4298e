import { expect } from 'chai';
import { canonicalType, typesNear } from '../../src/binder/types.ts';

describe('types of CAST', () => {
  it('have one canonical name each, whatever they are called', () => {
    const cases: Readonly<Record<string, string>> = {
      int: 'INTEGER',
      INT8: 'BIGINT',
      'double   precision': 'DOUBLE',
      FLOAT: 'REAL',
      'VARCHAR(20)': 'VARCHAR',
      'CHAR (3)': 'VARCHAR',
      STRING: 'VARCHAR',
      'DECIMAL(10, 2)': 'DECIMAL(10,2)',
      'NUMERIC(5)': 'DECIMAL(5,0)',
      NUMERIC: 'DECIMAL',
      'TIMESTAMP WITH TIME ZONE': 'TIMESTAMPTZ',
      BYTEA: 'BLOB',
      bool: 'BOOLEAN',
    };
    for (const [written, canonical] of Object.entries(cases)) {
      expect(canonicalType(written), written).to.equal(canonical);
      expect(canonicalType(canonical), canonical).to.equal(canonical);
    }
  });

  it('that nobody can hold, or that are not on the list, are refused', () => {
    for (const written of [
      'DECIMAL(39,0)',
      'DECIMAL(5,6)',
      'DECIMAL(0)',
      'INT[]',
      'POINT',
      'INT(3, 4)',
      '',
    ]) {
      expect(canonicalType(written), written).to.equal(null);
    }
    expect(typesNear('VARCHR(20)')).to.include('VARCHAR');
  });
});
