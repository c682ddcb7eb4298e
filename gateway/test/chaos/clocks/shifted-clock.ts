/**
 * Loaded before a process of ours: its clock is off by as many milliseconds as this module's own URL says
 * (`?shiftMs=…`), and stays so, as a clock that is set back and forth under way is another failure.
 */
const shiftMs = Number(new URL(import.meta.url).searchParams.get('shiftMs'));

const RightDate = Date;
const now = (): number => RightDate.now() + shiftMs;

globalThis.Date = new Proxy(RightDate, {
  get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  apply: () => new RightDate(now()).toString(),
  construct: (target, given: unknown[], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
});
