import { expect } from 'chai';
import { shownIn, zoneName } from '../../src/postgres/types/session-zone.ts';

describe('a session’s time zone', () => {
  it('has an IANA name where PostgreSQL has another for it', () => {
    for (const zone of ['UTC', 'Etc/UTC', 'GMT', 'etc/gmt+0', 'Zulu', '<+00>-00'])
      expect(zoneName(zone), zone).to.equal('UTC');
    expect(zoneName('<+02>-02')).to.equal('Etc/GMT-2');
    expect(zoneName('<-03>+03')).to.equal('Etc/GMT+3');
    for (const zone of ['Europe/London', 'Etc/GMT+1', '<+15>-15', '<-13>+13', '<+05:45>-05:45', 'WET', ''])
      expect(zoneName(zone), zone).to.equal(zone);
  });

  it('shows times with a zone', () => {
    const shown = (zone: string, text: string): unknown => shownIn(zone, () => text)('');
    for (const [zone, given, expected] of [
      ['UTC', '2024-03-31 00:30:00+00', '2024-03-31 00:30:00+00'],
      ['Europe/Berlin', '2024-03-31 00:59:59.999999+00', '2024-03-31 01:59:59.999999+01'],
      ['Europe/Berlin', '2024-03-31 01:00:00+00', '2024-03-31 03:00:00+02'],
      ['America/New_York', '2024-01-01 04:59:00.5+00', '2023-12-31 23:59:00.5-05'],
      ['Asia/Kolkata', '2024-02-28 23:00:00+00', '2024-02-29 04:30:00+05:30'],
      ['Europe/Berlin', '1890-01-01 00:00:00+00', '1890-01-01 00:53:28+00:53:28'],
      ['Europe/Berlin', '1969-12-31 23:59:59.5+00', '1970-01-01 00:59:59.5+01'],
      ['Europe/Berlin', 'infinity', 'infinity'],
      ['Europe/Berlin', '0044-03-15 00:00:00 (BC)+00', '0044-03-15 00:00:00 (BC)+00'],
      ['<+05:45>-05:45', '2024-01-01 00:00:00+00', '2024-01-01 00:00:00+00'],
    ] as const)
      expect(shown(zone, given), `${given} in ${zone}`).to.equal(expected);
    const bytes = Buffer.alloc(8);
    expect(shownIn('Europe/Berlin', () => bytes)('')).to.equal(bytes);
  });
});
