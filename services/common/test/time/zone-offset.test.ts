import { expect } from 'chai';
import { zoneOffset } from '../../src/time/zone-offset.ts';

const secondsOf = (iso: string): number => Date.parse(iso) / 1000;

describe('how far clocks in a zone are ahead of UTC', () => {
  for (const [zone, at, offset] of [
    ['UTC', '2024-07-01T00:00:00Z', 0],
    ['Europe/Berlin', '2024-03-31T00:59:59Z', 3600],
    ['Europe/Berlin', '2024-03-31T01:00:00Z', 7200],
    ['America/New_York', '2024-11-03T05:59:59Z', -4 * 3600],
    ['America/New_York', '2024-11-03T06:00:00Z', -5 * 3600],
    ['Asia/Kathmandu', '2024-07-01T00:00:00Z', 20_700],
    ['America/St_Johns', '2024-01-01T00:00:00Z', -12_600],
    ['Pacific/Kiritimati', '2024-01-01T00:00:00Z', 14 * 3600],
    ['Etc/GMT-2', '2024-01-01T00:00:00Z', 7200],
    ['Europe/Berlin', '1890-01-01T00:00:00Z', 3208],
  ] as const)
    it(`${zone} at ${at}`, () => {
      expect(zoneOffset(zone, secondsOf(at))).to.equal(offset);
      // And as it is remembered.
      expect(zoneOffset(zone, secondsOf(at) + 1)).to.be.a('number');
    });

  it('is null where there is no such zone', () => {
    for (const zone of ['', 'Europe/Nowhere', '<+0545>-05:45', "x' OR 1"])
      expect(zoneOffset(zone, 0), zone).to.equal(null);
  });
});
