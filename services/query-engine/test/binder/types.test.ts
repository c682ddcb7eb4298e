import { expect } from 'chai';
import { typeOf, typesNear } from '../../src/binder/types.ts';

describe('types of CAST', () => {
  it('have one canonical name each, whatever they are called', () => {
    const cases: Readonly<Record<string, string>> = {
      int: 'INTEGER',
      INT8: 'BIGINT',
      'double   precision': 'DOUBLE',
      FLOAT: 'DOUBLE',
      FLOAT4: 'REAL',
      'FLOAT(24)': 'REAL',
      'FLOAT(25)': 'DOUBLE',
      STRING: 'VARCHAR',
      'DECIMAL(10, 2)': 'DECIMAL(10,2)',
      'NUMERIC(5)': 'DECIMAL(5,0)',
      NUMERIC: 'DECIMAL',
      'TIMESTAMP WITH TIME ZONE': 'TIMESTAMPTZ',
      'TIME(6)': 'TIME',
      'TIMESTAMP(9)': 'TIMESTAMP',
      BYTEA: 'BLOB',
      bool: 'BOOLEAN',
    };
    for (const [written, name] of Object.entries(cases)) {
      expect(typeOf(written), written).to.deep.equal({ name, length: null });
      expect(typeOf(name), name).to.deep.equal({ name, length: null });
    }
  });

  it('have the length that is written', () => {
    expect(typeOf('varchar(20)')).to.deep.equal({ name: 'VARCHAR', length: 20 });
    expect(typeOf('CHAR (3)')).to.deep.equal({ name: 'VARCHAR', length: 3 });
    expect(typeOf('character varying(7)')).to.deep.equal({ name: 'VARCHAR', length: 7 });
    expect(typeOf('TIMESTAMP(0)')).to.deep.equal({ name: 'TIMESTAMP', length: 0 });
    expect(typeOf('datetime(3)')).to.deep.equal({ name: 'TIMESTAMP', length: 3 });
  });

  it('that nobody can hold, or that are not on the list, are refused', () => {
    for (const written of [
      'DECIMAL(39,0)',
      'DECIMAL(5,6)',
      'DECIMAL(0)',
      'VARCHAR(0)',
      'BINARY(16)',
      'TIME(3)',
      'FLOAT(54)',
      'INT[]',
      'POINT',
      'INT(3, 4)',
      '',
    ]) {
      expect(typeOf(written), written).to.equal(null);
    }
    expect(typesNear('VARCHR(20)')).to.include('VARCHAR');
  });
});
