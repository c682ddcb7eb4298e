/** How the tree and the place that shows it go together. */

/** Below it, text is too small to read; the place scrolls then. */
const SCALE_MIN = 0.8;
/** Left around a node that was scrolled to. */
const AROUND_PX = 10;

/** How much smaller a tree of that width is drawn. */
export function scaleOf(widthPx: number, place: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(place);
  const room = place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return room <= 0 ? 1 : Math.max(SCALE_MIN, Math.min(1, room / widthPx));
}

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
