/** Left around a node that was scrolled to. */
const AROUND_PX = 10;

/** Scrolls the place and nothing around it, so that a page does not move while one types. */
export function reveal(element: HTMLElement, place: HTMLElement): void {
  const [inner, outer] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  const down = inner.bottom + AROUND_PX - (outer.top + place.clientHeight);
  const up = inner.top - AROUND_PX - outer.top;
  const right = inner.right + AROUND_PX - (outer.left + place.clientWidth);
  const left = inner.left - AROUND_PX - outer.left;
  place.scrollBy(
    left < 0 ? left : Math.max(0, Math.min(right, left)),
    up < 0 ? up : Math.max(0, Math.min(down, up)),
  );
}
