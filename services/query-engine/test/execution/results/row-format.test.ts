import { expect } from 'chai';
import { rowWriter } from '../../../src/execution/results/row-format.ts';

/** Cells as JSON text, and the line of CSV that they are. */
const LINES: readonly (readonly [cells: readonly string[], line: string])[] = [
  [['1', '"a"', 'true'], '1,a,true'],
  [['null', '""', 'null'], ',"",'],
  [['"a,b"', '"say \\"hi\\""', '"two\\r\\nlines"'], '"a,b","say ""hi""","two\r\nlines"'],
  [['"line\\nfeed"', '" spaces "', '"\\t"'], '"line\nfeed", spaces ,\t'],
  [
    ['12345678901234567890123456789012345678', '0.10', '-1e5'],
    '12345678901234567890123456789012345678,0.10,-1e5',
  ],
  [['{"a":"x","b":[1,null]}', '[]', '"null"'], '"{""a"":""x"",""b"":[1,null]}",[],null'],
  [['"é😀"', '"2024-01-02T03:04:05Z"', '"=1+1"'], 'é😀,2024-01-02T03:04:05Z,=1+1'],
];

describe('rows of a whole result', () => {
  it('are CSV as RFC 4180 has it: NULL is nothing, an empty text is quoted', () => {
    const { head, between, row } = rowWriter('csv', 'array', ['id', 'a,b', 'na"me']);
    expect(head).to.equal('id,"a,b","na""me"\r\n');
    expect(between).to.equal('');
    for (const [cells, line] of LINES) expect(row(cells)).to.equal(`${line}\r\n`);
  });

  it('are a line of JSON each, as arrays or as objects', () => {
    const arrays = rowWriter('ndjson', 'array', ['a', 'a']);
    expect([arrays.head, arrays.between]).to.deep.equal(['', '']);
    expect(arrays.row(['1', '"x\\ny"'])).to.equal('[1,"x\\ny"]\n');
    expect(rowWriter('ndjson', 'object', ['a', 'a']).row(['1', 'null'])).to.equal('{"a":1,"a_2":null}\n');
  });
});
