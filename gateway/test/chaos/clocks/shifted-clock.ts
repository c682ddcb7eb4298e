/**
 * Loaded before a process of ours: its clock is off by as many milliseconds as a file says, named by this module's own
 * URL (`?file=…`). The file is read once, as a clock that is set back and forth under way is another failure.
 */
import { readFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const shiftMs = Number(readFileSync(file, 'utf8'));

const RightDate = Date;
const now = (): number => RightDate.now() + shiftMs;

globalThis.Date = new Proxy(RightDate, {
  get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  apply: () => new RightDate(now()).toString(),
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
});
