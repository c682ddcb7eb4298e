import { expect } from 'chai';
import { digitsAtStart } from '../../../src/postgres/backend/start-parameters.ts';

describe('digits of numbers that a session begins with', () => {
  const digits = { precision: 38, scale: 9 };
  for (const [settings, expected] of [
    [{}, null],
    [{ 'penstock.numeric': '38,9' }, digits],
    [{ options: '-c penstock.numeric=38,9' }, digits],
    [{ options: '-cpenstock.numeric=38,9' }, digits],
    [{ options: '--penstock.numeric=38,9' }, digits],
    [{ options: '-c search_path=shop -c PENSTOCK.numeric=38,\\ 9 -c a=b' }, digits],
    [{ options: '-c search_path=shop' }, null],
    [{ options: '-c penstock.numeric' }, null],
    [{ options: 'penstock.numeric=38,9' }, null],
    [{ options: '-c penstock.numeric=39,9' }, null],
    [{ options: '-c penstock.numeric=many' }, null],
    [{ options: '-c penstock.numeric=9,38' }, null],
  ] as const)
    it(JSON.stringify(settings), () => {
      expect(digitsAtStart(new Map(Object.entries(settings)))).to.deep.equal(expected);
    });
});
