import { expect } from 'chai';
import { createHurry } from '../../src/scheduling/priority-window.ts';

describe('the hurry of short queries', () => {
  it('lasts while they run, and not for one that waits for something else', () => {
    let now = 0;
    let running = 0;
    const hurry = createHurry(
      50,
      () => running > 0,
      () => now,
    );
    expect(hurry.isOn()).to.equal(false);
    running = 1;
    hurry.start();
    expect(hurry.isOn()).to.equal(true);
    now = 49;
    expect(hurry.isOn()).to.equal(true);
    now = 50;
    expect(hurry.isOn()).to.equal(false);
    running = 2;
    hurry.start();
    expect(hurry.isOn()).to.equal(true);
    running = 0;
    expect(hurry.isOn()).to.equal(false);
  });
});
