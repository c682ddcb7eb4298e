import { expect } from 'chai';
import { createPriorityWindow } from '../../src/scheduling/priority-window.ts';

describe('the priority window of short queries', () => {
  it('lasts while they run, and not for one that waits for something else', () => {
    let now = 0;
    let running = 0;
    const priority = createPriorityWindow(
      50,
      () => running > 0,
      () => now,
    );
    expect(priority.isOpen()).to.equal(false);
    running = 1;
    priority.start();
    expect(priority.isOpen()).to.equal(true);
    now = 49;
    expect(priority.isOpen()).to.equal(true);
    now = 50;
    expect(priority.isOpen()).to.equal(false);
    running = 2;
    priority.start();
    expect(priority.isOpen()).to.equal(true);
    running = 0;
    expect(priority.isOpen()).to.equal(false);
  });
});
