import { expect } from 'chai';
import { fromPostgresFormat } from '../../../src/logical/functions/postgres-format.ts';

describe("PostgreSQL's formats of dates", () => {
  const translated: readonly (readonly [format: string, strftime: string])[] = [
    ['YYYY-MM-DD HH24:MI:SS.MS', '%Y-%m-%d %H:%M:%S.%g'],
    ['yyyy-mm-dd hh24:mi', '%Y-%m-%d %H:%M'],
    ['DD Mon YY, HH12:MI AM', '%d %b %y, %I:%M %p'],
    ['Dy FMDD FMMonth', '%a %-d %B'],
    ['IYYY-"W"IW-ID', '%G-W%V-%u'],
    ['YYYY"-100%-"DDD', '%Y-100%%-%j'],
    ['US', '%f'],
  ];
  for (const [format, strftime] of translated)
    it(`${format} is ${strftime}`, () => expect(fromPostgresFormat(format)).to.equal(strftime));

  const refused: readonly (readonly [format: string, part: string, advice: string])[] = [
    ['Month YYYY', 'Month', 'FMMonth'],
    ['MON YYYY', 'MON', 'write Mon'],
    ['YYYY-Q', 'Q', 'QUARTER'],
    ['SSSS', 'SSSS', 'EPOCH'],
    ['HH24:SSSSS', 'SSSSS', 'EPOCH'],
    ['HH:MI am', 'am', 'AM'],
    ['FM999.00', 'FM999', 'ROUND'],
    ['YYYY-MM-DDTHH24', 'THH24', '"double quotes"'],
    ['YYYY"', '"', '"double quotes"'],
    ['TZ', 'TZ', 'AT TIME ZONE'],
  ];
  for (const [format, part, advice] of refused)
    it(`${format} is refused for ${part}`, () => {
      const problem = fromPostgresFormat(format);
      expect(problem).to.include({ part });
      expect((problem as { advice: string }).advice).to.include(advice);
    });
});
