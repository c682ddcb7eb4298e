import { expect } from 'chai';
import { createPlaces } from '../../../src/postgres/connection/places.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { HALF_OPEN_MAX, SESSIONS_MAX, SESSIONS_PER_TENANT_MAX } from '../../../src/postgres/limits.ts';

describe('places of connections', () => {
  const codeOf = (work: () => void): string => {
    try {
      work();
    } catch (error) {
      return error instanceof PgError ? `${error.fields.severity} ${error.fields.code}` : String(error);
    }
    return 'taken';
  };

  it('are so many for a tenant, and others have theirs', () => {
    const places = createPlaces();
    const taken = Array.from({ length: SESSIONS_PER_TENANT_MAX }, () => {
      const place = places.enter('192.0.2.1', () => undefined)!;
      place.signedIn('ada');
      return place;
    });
    const more = places.enter('192.0.2.1', () => undefined)!;
    expect(codeOf(() => more.signedIn('ada'))).to.equal('FATAL 53300');
    more.leave();
    expect(codeOf(() => places.enter('192.0.2.1', () => undefined)!.signedIn('bob'))).to.equal('taken');
    taken[0]!.leave();
    taken[0]!.leave();
    expect(codeOf(() => places.enter('192.0.2.1', () => undefined)!.signedIn('ada'))).to.equal('taken');
    expect([places.sessions, places.halfOpen]).to.deep.equal([SESSIONS_PER_TENANT_MAX + 1, 0]);
  });

  it('are so many in all', () => {
    const places = createPlaces();
    for (let i = 0; i < SESSIONS_MAX; i++)
      places.enter('192.0.2.1', () => undefined)!.signedIn(`tenant-${i}`);
    expect(places.enter('192.0.2.2', () => undefined)).to.equal(null);
  });

  it('of who does not sign in are left to others by whoever has the most, the longest waiting first', () => {
    const places = createPlaces();
    const left: string[] = [];
    const enter = (address: string, name: string) => places.enter(address, () => void left.push(name))!;
    const friend = enter('192.0.2.3', 'friend');
    for (let i = 0; i < HALF_OPEN_MAX + 3; i++) enter('192.0.2.4', `flood ${i}`);
    expect(left).to.deep.equal(['flood 0', 'flood 1', 'flood 2', 'flood 3']);
    expect(places.halfOpen).to.equal(HALF_OPEN_MAX);
    friend.signedIn('ada');
    expect([places.halfOpen, places.sessions]).to.deep.equal([HALF_OPEN_MAX - 1, 1]);
  });
});
